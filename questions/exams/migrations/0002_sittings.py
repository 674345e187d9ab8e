"""Sittings, their items, responses and reports: one machinery for practice and mocks.

The practice sets of before move into it in 0003 and go in 0004.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


# A report is what somebody was told: it stays. Erasing or regrading adds rows.
KEEP_REPORTS = """
CREATE FUNCTION exams_keep_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'A score report can''t be changed or deleted: make the next one.'
        USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER keep_report BEFORE UPDATE OR DELETE ON exams_scorereport
    FOR EACH ROW EXECUTE FUNCTION exams_keep_report();
CREATE TRIGGER keep_event BEFORE UPDATE OR DELETE ON exams_sittingevent
    FOR EACH ROW EXECUTE FUNCTION exams_keep_report();
"""
LET_REPORTS = """
DROP TRIGGER keep_report ON exams_scorereport;
DROP TRIGGER keep_event ON exams_sittingevent;
DROP FUNCTION exams_keep_report();
"""


# Names of indexes are one space in PostgreSQL: the old table's make room.
RENAME_INDEXES = """
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT indexname FROM pg_indexes
                 WHERE schemaname = current_schema()
                   AND tablename = 'exams_practicecontact'
                   AND indexname LIKE 'exams_keycontact%'
    LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', name,
                       replace(name, 'exams_keycontact', 'exams_practicecontact'));
    END LOOP;
END $$;
ALTER SEQUENCE IF EXISTS exams_keycontact_id_seq RENAME TO exams_practicecontact_id_seq;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_time_allowance"),
        ("exams", "0001_practice"),
        ("questions", "0003_roles"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RenameModel("KeyContact", "PracticeContact"),
        migrations.RenameIndex(
            "PracticeContact",
            new_name="practice_contacts",
            old_name="contacts_in_order",
        ),
        migrations.RunSQL(RENAME_INDEXES, migrations.RunSQL.noop),
        migrations.CreateModel(
            name="LateAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("save_id", models.UUIDField(unique=True)),
                (
                    "chosen",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("received_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "late answer",
            },
        ),
        migrations.CreateModel(
            name="SittingItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "option_order",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), size=None
                    ),
                ),
                (
                    "rule",
                    models.CharField(
                        choices=[
                            ("exact_match", "All or nothing"),
                            ("right_minus_wrong", "Right minus wrong"),
                        ],
                        default="exact_match",
                        max_length=20,
                    ),
                ),
                (
                    "domain",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="questions.domain",
                    ),
                ),
                (
                    "graded_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="questions.revision",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sitting_items",
                        to="questions.question",
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sitting_items",
                        to="questions.revision",
                    ),
                ),
            ],
            options={
                "verbose_name": "sitting item",
            },
        ),
        migrations.CreateModel(
            name="Sitting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                (
                    "public_id",
                    models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
                ),
                (
                    "mode",
                    models.CharField(
                        choices=[
                            ("practice", "Practice"),
                            ("mock", "Mock exam"),
                            ("review", "Review"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "feedback",
                    models.CharField(
                        choices=[
                            ("at_once", "After each answer"),
                            ("at_end", "At the end"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "navigation",
                    models.CharField(
                        choices=[
                            ("free", "Free: go back and change answers"),
                            ("linear", "Linear: each question once, no way back"),
                        ],
                        default="free",
                        max_length=10,
                    ),
                ),
                (
                    "rule",
                    models.CharField(
                        choices=[
                            ("exact_match", "All or nothing"),
                            ("right_minus_wrong", "Right minus wrong"),
                        ],
                        default="exact_match",
                        max_length=20,
                    ),
                ),
                (
                    "seed",
                    models.BigIntegerField(
                        help_text="Draws the same form from the same pool."
                    ),
                ),
                ("daily_date", models.DateField(blank=True, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("finished", "Finished"),
                            ("void", "Void"),
                        ],
                        default="running",
                        max_length=10,
                    ),
                ),
                ("mark_numerator", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "mark_denominator",
                    models.PositiveIntegerField(blank=True, null=True),
                ),
                ("started_at", models.DateTimeField()),
                ("minutes", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "time_allowance",
                    models.DecimalField(
                        decimal_places=2, default=Decimal("1"), max_digits=3
                    ),
                ),
                ("deadline", models.DateTimeField(blank=True, null=True)),
                ("grace_seconds", models.PositiveSmallIntegerField(default=0)),
                (
                    "reached",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="Where a linear sitting stands."
                    ),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ending",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("submitted", "Submitted"),
                            ("expired", "Time ran out"),
                            ("closed", "Closed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("report_seen_at", models.DateTimeField(blank=True, null=True)),
                (
                    "blueprint",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sittings",
                        to="questions.blueprint",
                    ),
                ),
                (
                    "certification",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sittings",
                        to="questions.certification",
                    ),
                ),
            ],
            options={
                "verbose_name": "sitting",
                "permissions": (
                    ("conduct_sitting", "Can extend, void and regrade sittings"),
                ),
            },
        ),
        migrations.CreateModel(
            name="MockExam",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("slug", models.SlugField(max_length=120, unique=True)),
                ("name", models.CharField(max_length=120)),
                ("description", models.CharField(blank=True, max_length=300)),
                (
                    "length",
                    models.PositiveSmallIntegerField(help_text="Questions asked."),
                ),
                ("minutes", models.PositiveSmallIntegerField()),
                (
                    "navigation",
                    models.CharField(
                        choices=[
                            ("free", "Free: go back and change answers"),
                            ("linear", "Linear: each question once, no way back"),
                        ],
                        default="free",
                        max_length=10,
                    ),
                ),
                (
                    "rule",
                    models.CharField(
                        choices=[
                            ("exact_match", "All or nothing"),
                            ("right_minus_wrong", "Right minus wrong"),
                        ],
                        default="exact_match",
                        max_length=20,
                    ),
                ),
                (
                    "mark",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="The share right that passes, if it is not the blueprint's.",
                        max_digits=5,
                        null=True,
                    ),
                ),
                (
                    "is_open",
                    models.BooleanField(
                        default=True, verbose_name="offered to learners"
                    ),
                ),
                (
                    "blueprint",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="mock_exams",
                        to="questions.blueprint",
                    ),
                ),
                (
                    "certification",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="mock_exams",
                        to="questions.certification",
                    ),
                ),
            ],
            options={
                "verbose_name": "mock exam",
            },
        ),
        migrations.CreateModel(
            name="MockExamItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "mock_exam",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="exams.mockexam",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="questions.question",
                    ),
                ),
            ],
            options={
                "verbose_name": "question of a fixed form",
                "verbose_name_plural": "questions of a fixed form",
            },
        ),
        migrations.CreateModel(
            name="QuestionFlag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("flagged_at", models.DateTimeField()),
                (
                    "participant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="question_flags",
                        to="accounts.participant",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="flags",
                        to="questions.question",
                    ),
                ),
            ],
            options={
                "verbose_name": "question flag",
            },
        ),
        migrations.CreateModel(
            name="Response",
            fields=[
                (
                    "item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="response",
                        serialize=False,
                        to="exams.sittingitem",
                    ),
                ),
                (
                    "chosen",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                (
                    "struck",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("is_flagged", models.BooleanField(default=False)),
                ("note", models.TextField(blank=True)),
                ("seconds", models.PositiveIntegerField(default=0)),
                ("version", models.PositiveIntegerField(default=0)),
                ("saved_at", models.DateTimeField(blank=True, null=True)),
                (
                    "recent_save_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                (
                    "recent_saved_at",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.DateTimeField(),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("was_shown", models.BooleanField(default=False)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("points_numerator", models.SmallIntegerField(blank=True, null=True)),
                ("points_denominator", models.SmallIntegerField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "response",
            },
        ),
        migrations.CreateModel(
            name="KeyContact",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("right", "Right"),
                            ("wrong", "Wrong"),
                            ("unanswered", "Not answered"),
                            ("shown", "Answer shown"),
                        ],
                        max_length=10,
                    ),
                ),
                ("met_at", models.DateTimeField()),
                (
                    "participant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="key_contacts",
                        to="accounts.participant",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="key_contacts",
                        to="questions.question",
                    ),
                ),
                (
                    "item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="contact",
                        to="exams.sittingitem",
                    ),
                ),
            ],
            options={
                "verbose_name": "key contact",
            },
        ),
        migrations.AddField(
            model_name="sittingitem",
            name="sitting",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="items",
                to="exams.sitting",
            ),
        ),
        migrations.AddField(
            model_name="sitting",
            name="mock_exam",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sittings",
                to="exams.mockexam",
            ),
        ),
        migrations.AddField(
            model_name="sitting",
            name="participant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sittings",
                to="accounts.participant",
            ),
        ),
        migrations.CreateModel(
            name="ScoreReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "cause",
                    models.CharField(
                        choices=[
                            ("submitted", "Submitted"),
                            ("expired", "Time ran out"),
                            ("closed", "Closed"),
                            ("late_accepted", "Late answers accepted"),
                            ("regraded", "A wrong key was corrected"),
                        ],
                        max_length=20,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=300)),
                ("points_numerator", models.PositiveIntegerField()),
                ("points_denominator", models.PositiveIntegerField()),
                ("question_count", models.PositiveSmallIntegerField()),
                ("right_count", models.PositiveSmallIntegerField()),
                ("is_passed", models.BooleanField(blank=True, null=True)),
                ("document", models.JSONField()),
                ("made_at", models.DateTimeField()),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="exams.sitting",
                    ),
                ),
            ],
            options={
                "verbose_name": "score report",
            },
        ),
        migrations.CreateModel(
            name="SittingEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("extended", "Time added"),
                            ("voided", "Voided"),
                            ("granted", "Another sitting granted"),
                            ("late_accepted", "Late answers accepted"),
                            ("regraded", "Regraded"),
                        ],
                        max_length=20,
                    ),
                ),
                ("minutes", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("reason", models.CharField(max_length=300)),
                ("happened_at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="exams.sitting",
                    ),
                ),
            ],
            options={
                "verbose_name": "sitting event",
            },
        ),
        migrations.AddConstraint(
            model_name="mockexam",
            constraint=models.CheckConstraint(
                condition=models.Q(("length__gt", 0), ("minutes__gt", 0)),
                name="mock_exam_asks_and_has_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="mockexam",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("mark__isnull", True),
                    models.Q(("mark__gt", 0), ("mark__lte", 1)),
                    _connector="OR",
                ),
                name="mock_exam_mark_is_a_share",
            ),
        ),
        migrations.AddConstraint(
            model_name="mockexamitem",
            constraint=models.UniqueConstraint(
                fields=("mock_exam", "position"), name="one_question_per_place"
            ),
        ),
        migrations.AddConstraint(
            model_name="mockexamitem",
            constraint=models.UniqueConstraint(
                fields=("mock_exam", "question"), name="one_place_per_question"
            ),
        ),
        migrations.AddConstraint(
            model_name="questionflag",
            constraint=models.UniqueConstraint(
                fields=("participant", "question"), name="one_flag_per_question"
            ),
        ),
        migrations.AddConstraint(
            model_name="response",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("points_denominator__isnull", True),
                        ("points_numerator__isnull", True),
                    ),
                    models.Q(
                        ("points_denominator__gt", 0),
                        ("points_numerator__gte", 0),
                        ("points_numerator__lte", models.F("points_denominator")),
                    ),
                    _connector="OR",
                ),
                name="points_are_a_share",
            ),
        ),
        migrations.AddField(
            model_name="lateanswer",
            name="response",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="late_answers",
                to="exams.response",
            ),
        ),
        migrations.AddIndex(
            model_name="keycontact",
            index=models.Index(
                fields=["participant", "question", "met_at"], name="contacts_in_order"
            ),
        ),
        migrations.AddConstraint(
            model_name="sittingitem",
            constraint=models.UniqueConstraint(
                fields=("sitting", "position"), name="one_item_per_position"
            ),
        ),
        migrations.AddIndex(
            model_name="sitting",
            index=models.Index(
                fields=["participant", "-started_at"], name="sittings_of_a_participant"
            ),
        ),
        migrations.AddIndex(
            model_name="sitting",
            index=models.Index(
                condition=models.Q(("deadline__isnull", False), ("status", "running")),
                fields=["deadline"],
                name="sittings_against_the_clock",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitting",
            constraint=models.UniqueConstraint(
                condition=models.Q(("mode", "mock"), ("status", "running")),
                fields=("participant", "certification"),
                name="one_running_mock_per_certification",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitting",
            constraint=models.UniqueConstraint(
                fields=("participant", "certification", "daily_date"),
                name="one_daily_practice",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitting",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("status", "running")),
                    models.Q(
                        ("ended_at__isnull", False),
                        models.Q(("status", "running"), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="a_sitting_ends_when_it_stops_running",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitting",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("mode", "mock"), _negated=True),
                    ("deadline__isnull", False),
                    _connector="OR",
                ),
                name="a_mock_has_a_deadline",
            ),
        ),
        migrations.AddConstraint(
            model_name="scorereport",
            constraint=models.UniqueConstraint(
                fields=("sitting", "number"), name="reports_are_numbered"
            ),
        ),
        migrations.RunSQL(sql=KEEP_REPORTS, reverse_sql=LET_REPORTS),
    ]
