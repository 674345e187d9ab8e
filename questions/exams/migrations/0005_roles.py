"""Editors offer mock exams and look after sittings."""

from django.db import migrations

_GRANTS = (
    ("mockexam", "view_mockexam"),
    ("mockexam", "add_mockexam"),
    ("mockexam", "change_mockexam"),
    ("mockexamitem", "view_mockexamitem"),
    ("mockexamitem", "add_mockexamitem"),
    ("mockexamitem", "change_mockexamitem"),
    ("mockexamitem", "delete_mockexamitem"),
    ("sitting", "view_sitting"),
    ("sitting", "conduct_sitting"),
)
_NAMES = {"conduct_sitting": "Can extend, void and regrade sittings"}


def grant(apps, schema_editor):
    """Give the group its permissions, made here if need be (as questions 0003 does)."""
    content_type_model = apps.get_model("contenttypes", "ContentType")
    permission_model = apps.get_model("auth", "Permission")
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name="editor")
    for model_name, codename in _GRANTS:
        content_type, _ = content_type_model.objects.get_or_create(
            app_label="exams", model=model_name
        )
        options = apps.get_model("exams", model_name)._meta
        verb = codename.partition("_")[0]
        name = _NAMES.get(codename, f"Can {verb} {options.verbose_name}")
        permission, _ = permission_model.objects.get_or_create(
            content_type=content_type, codename=codename, defaults={"name": name}
        )
        group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("exams", "0004_no_practice_sets"),
        ("accounts", "0003_time_allowance"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(grant, migrations.RunPython.noop)]
