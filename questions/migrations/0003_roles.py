"""What authors, reviewers and editors may do in the bank."""

from django.db import migrations

_VIEWED = (
    "alignment", "blueprint", "certification", "domain", "image", "objective",
    "problemreport", "question", "questionevent", "review", "revision", "scenario",
    "scenariorevision", "vendor",
)  # fmt: skip
_GRANTS = {
    "author": (("question", "author_question"), ("question", "add_question"),
               ("question", "change_question"), ("image", "add_image")),
    "reviewer": (("question", "review_question"), ("question", "change_question"),
                 ("problemreport", "change_problemreport")),
    "editor": (("question", "publish_question"), ("question", "export_question"),
               ("question", "change_question"), ("question", "delete_question"),
               ("problemreport", "change_problemreport"),
               *((name, f"{verb}_{name}")
                 for name in ("vendor", "certification", "blueprint", "domain",
                              "objective")
                 for verb in ("add", "change"))),
}  # fmt: skip


def grant(apps, schema_editor):
    """Give each group its permissions; they are made here if need be.

    Django makes permissions after all migrations have run, so on a new database they
    are not there yet; it finds ours and adds the rest.
    """
    group_model = apps.get_model("auth", "Group")
    permission_model = apps.get_model("auth", "Permission")
    content_type_model = apps.get_model("contenttypes", "ContentType")
    views = tuple((name, f"view_{name}") for name in _VIEWED)
    for group_name, grants in _GRANTS.items():
        group, _ = group_model.objects.get_or_create(name=group_name)
        for model_name, codename in (*views, *grants):
            content_type, _ = content_type_model.objects.get_or_create(
                app_label="questions", model=model_name
            )
            permission, _ = permission_model.objects.get_or_create(
                content_type=content_type,
                codename=codename,
                defaults={"name": _name(apps, model_name, codename)},
            )
            group.permissions.add(permission)


def _name(apps, model_name, codename):
    """Return the name that Django would give the permission."""
    options = apps.get_model("questions", model_name)._meta
    own = dict(options.permissions)
    if codename in own:
        return own[codename]
    return f"Can {codename.partition('_')[0]} {options.verbose_name}"


class Migration(migrations.Migration):
    """Grant permissions to the groups of accounts."""

    dependencies = [
        ("questions", "0002_guards"),
        ("accounts", "0002_roles"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [migrations.RunPython(grant, migrations.RunPython.noop)]
