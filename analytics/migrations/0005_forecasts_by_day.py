"""A forecast of a real exam knows its day, and is kept when another day is told."""

import django.db.models.deletion
from django.db import migrations, models


def take_over_days(apps, schema_editor):
    """Note the day that each is of; of no day, there is nothing to hold it against."""
    forecasts = apps.get_model("analytics", "Forecast").objects
    days = apps.get_model("exams", "Enrolment").objects.filter(
        pk=models.OuterRef("enrolment")
    )
    of_real_exams = forecasts.filter(enrolment__isnull=False)
    of_real_exams.filter(enrolment__exam_date__isnull=True).delete()
    of_real_exams.update(exam_date=models.Subquery(days.values("exam_date")))


class Migration(migrations.Migration):
    dependencies = [
        ("analytics", "0004_sweep_from_indexes"),
        ("exams", "0011_exams_of_this_century"),
    ]

    operations = [
        migrations.AlterField(
            model_name="forecast",
            name="enrolment",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="exams.enrolment",
            ),
        ),
        migrations.AddField(
            model_name="forecast",
            name="exam_date",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.RunPython(take_over_days, migrations.RunPython.noop),
        migrations.RemoveConstraint(
            model_name="forecast", name="a_forecast_is_of_one_result"
        ),
        migrations.AddConstraint(
            model_name="forecast",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("enrolment__isnull", True),
                    ("exam_date__isnull", True),
                    ("sitting__isnull", False),
                )
                | models.Q(
                    ("enrolment__isnull", False),
                    ("exam_date__isnull", False),
                    ("sitting__isnull", True),
                ),
                name="a_forecast_is_of_one_result",
            ),
        ),
        migrations.AddConstraint(
            model_name="forecast",
            constraint=models.UniqueConstraint(
                fields=["enrolment", "exam_date"], name="one_forecast_of_an_exam"
            ),
        ),
    ]
