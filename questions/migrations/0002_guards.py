"""The database itself refuses to change words that were once saved or published."""

from django.db import migrations

# A revision's words never change; what was published can't even be deleted. The one
# column that may be written is published_at, once, from nothing to a moment.
FORWARDS = """
CREATE FUNCTION questions_keep_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.published_at IS NOT NULL THEN
        RAISE EXCEPTION 'A published revision can''t be changed or deleted.'
            USING ERRCODE = 'check_violation';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    IF to_jsonb(OLD) - 'published_at' IS DISTINCT FROM to_jsonb(NEW) - 'published_at' THEN
        RAISE EXCEPTION 'A revision can''t be changed: write the next one.'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER keep_revision BEFORE UPDATE OR DELETE ON questions_revision
    FOR EACH ROW EXECUTE FUNCTION questions_keep_revision();
CREATE TRIGGER keep_scenario_revision BEFORE UPDATE OR DELETE ON questions_scenariorevision
    FOR EACH ROW EXECUTE FUNCTION questions_keep_revision();

CREATE FUNCTION questions_keep_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    part jsonb;
    is_published boolean;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        RAISE EXCEPTION 'A part of a revision can''t be changed: write the next one.'
            USING ERRCODE = 'check_violation';
    END IF;
    part := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
    SELECT bool_or(published) INTO is_published FROM (
        SELECT published_at IS NOT NULL AS published FROM questions_revision
         WHERE id = (part ->> 'revision_id')::bigint
        UNION ALL
        SELECT published_at IS NOT NULL FROM questions_scenariorevision
         WHERE id = (part ->> 'scenario_revision_id')::bigint
    ) owners;
    IF is_published THEN
        RAISE EXCEPTION 'A published revision can''t be changed or deleted.'
            USING ERRCODE = 'check_violation';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER keep_option BEFORE INSERT OR UPDATE OR DELETE ON questions_option
    FOR EACH ROW EXECUTE FUNCTION questions_keep_part();
CREATE TRIGGER keep_reference BEFORE INSERT OR UPDATE OR DELETE ON questions_reference
    FOR EACH ROW EXECUTE FUNCTION questions_keep_part();
CREATE TRIGGER keep_exhibit BEFORE INSERT OR UPDATE OR DELETE ON questions_exhibit
    FOR EACH ROW EXECUTE FUNCTION questions_keep_part();

CREATE FUNCTION questions_keep_image() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The bytes of an image can''t be changed: add another image.'
        USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER keep_image BEFORE UPDATE OF sha256, content ON questions_image
    FOR EACH ROW EXECUTE FUNCTION questions_keep_image();
"""

BACKWARDS = """
DROP TRIGGER keep_image ON questions_image;
DROP TRIGGER keep_exhibit ON questions_exhibit;
DROP TRIGGER keep_reference ON questions_reference;
DROP TRIGGER keep_option ON questions_option;
DROP TRIGGER keep_scenario_revision ON questions_scenariorevision;
DROP TRIGGER keep_revision ON questions_revision;
DROP FUNCTION questions_keep_image();
DROP FUNCTION questions_keep_part();
DROP FUNCTION questions_keep_revision();
"""


class Migration(migrations.Migration):
    """Add the triggers."""

    dependencies = [("questions", "0001_bank")]

    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
