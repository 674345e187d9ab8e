"""A question that was chosen for a learner keeps what they were told of why."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exams", "0008_what_events_changed")]

    operations = [
        migrations.AddField(
            model_name="sittingitem",
            name="reason",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
    ]
