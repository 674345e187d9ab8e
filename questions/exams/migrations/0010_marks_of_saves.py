"""A save is told from others by its id together with its content."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("exams", "0009_why_a_question_was_chosen")]

    operations = [
        migrations.RenameField(
            model_name="response",
            old_name="recent_save_ids",
            new_name="recent_saves",
        ),
    ]
