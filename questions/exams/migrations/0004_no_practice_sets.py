"""The tables that sittings have replaced."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("exams", "0003_practice_sets_become_sittings")]

    operations = [
        migrations.DeleteModel("PracticeContact"),
        migrations.DeleteModel("PracticeItem"),
        migrations.DeleteModel("PracticeSet"),
    ]
