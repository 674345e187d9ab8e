"""An event says what stood before it, so that the log can be made again from sittings."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exams", "0007_sitting_token")]

    operations = [
        migrations.AddField(
            model_name="sittingevent",
            name="item",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="events",
                to="exams.sittingitem",
            ),
        ),
        migrations.AddField(
            model_name="sittingevent",
            name="before",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="What stood before: chosen and points.",
            ),
        ),
    ]
