"""The sweep is called as in the schedule, and its former runs with it."""

from django.db import migrations


def rename(apps, former, name):
    runs = apps.get_model("analytics", "JobRun")
    runs.objects.filter(name=former).update(name=name)


def forwards(apps, schema_editor):
    rename(apps, "sweep-learners", "sweep learners")


def backwards(apps, schema_editor):
    rename(apps, "sweep learners", "sweep-learners")


class Migration(migrations.Migration):
    dependencies = [("analytics", "0007_chances_mended_by_results")]

    operations = [migrations.RunPython(forwards, backwards)]
