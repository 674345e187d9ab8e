"""A sitting begun over the API without an account is reached by a secret."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exams", "0006_enrolments")]

    operations = [
        migrations.AddField(
            model_name="sitting",
            name="token_digest",
            field=models.CharField(
                blank=True,
                db_index=True,
                default="",
                editable=False,
                help_text="Of the secret of who began it over the API without an account.",
                max_length=64,
            ),
        ),
    ]
