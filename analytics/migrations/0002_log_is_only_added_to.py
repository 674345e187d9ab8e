"""The database itself refuses to change what was logged."""

from django.db import migrations

KEEP = """
CREATE FUNCTION analytics_keep_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The log is only added to: a later row takes an earlier one''s place.'
        USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER keep_log BEFORE UPDATE OR DELETE ON analytics_responselog
    FOR EACH ROW EXECUTE FUNCTION analytics_keep_log();
"""
LET = """
DROP TRIGGER keep_log ON analytics_responselog;
DROP FUNCTION analytics_keep_log();
"""
FILL = """
INSERT INTO analytics_responselog (
    participant_id, question_id, revision_id, item_id, number, cause, mode, position,
    chosen, was_shown, points_numerator, points_denominator, seconds, answered_at,
    logged_at)
SELECT s.participant_id, i.question_id, i.revision_id, i.id, 1, 'scored', s.mode,
       i.position, r.chosen, r.was_shown, r.points_numerator, r.points_denominator,
       r.seconds, r.answered_at,
       CASE s.feedback WHEN 'at_once' THEN r.answered_at
            ELSE COALESCE((SELECT made_at FROM exams_scorereport p
                            WHERE p.sitting_id = s.id AND p.number = 1), r.answered_at)
       END AS logged
  FROM exams_response r
  JOIN exams_sittingitem i ON i.id = r.item_id
  JOIN exams_sitting s ON s.id = i.sitting_id
 WHERE r.answered_at IS NOT NULL
 ORDER BY logged, i.id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("analytics", "0001_response_log"),
        ("exams", "0008_what_events_changed"),
    ]

    operations = [
        # What was scored before there was a log. Regrades of before are one with it.
        migrations.RunSQL(FILL, "DELETE FROM analytics_responselog"),
        migrations.RunSQL(KEEP, LET),
    ]
