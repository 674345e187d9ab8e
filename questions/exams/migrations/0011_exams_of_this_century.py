"""No exam is before this century; a day that was is taken for one that is not known."""

import datetime

from django.db import migrations, models


def forget_impossible_days(apps, schema_editor):
    """Empty the dates that no exam can have had."""
    enrolments = apps.get_model("exams", "Enrolment").objects
    enrolments.filter(exam_date__lt=datetime.date(2000, 1, 1)).update(exam_date=None)


class Migration(migrations.Migration):
    dependencies = [("exams", "0010_marks_of_saves")]

    operations = [
        migrations.RunPython(forget_impossible_days, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="enrolment",
            constraint=models.CheckConstraint(
                condition=models.Q(("exam_date__gte", datetime.date(2000, 1, 1))),
                name="an_exam_is_of_this_century",
            ),
        ),
    ]
