"""The roles of the author desk, as groups that may all enter it."""

from django.db import migrations

ROLES = ("author", "reviewer", "editor")


def make_roles(apps, schema_editor):
    content_types = apps.get_model("contenttypes", "ContentType").objects
    permissions = apps.get_model("auth", "Permission").objects
    groups = apps.get_model("auth", "Group").objects
    user_type, _ = content_types.get_or_create(app_label="accounts", model="user")
    # Django makes the permissions of models after the last migration; this one is
    # needed now, and found again then.
    may_enter, _ = permissions.get_or_create(
        content_type=user_type,
        codename="enter_author_desk",
        defaults={"name": "Can enter the author desk"},
    )
    for role in ROLES:
        group, _ = groups.get_or_create(name=role)
        group.permissions.add(may_enter)


def drop_roles(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name__in=ROLES).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_people"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_roles, drop_roles)]
