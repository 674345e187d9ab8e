"""What was practised before there were sittings moves into them; nothing is lost."""

import datetime

from django.db import migrations
from django.db.models import Q

POINTS = {"right": 1, "wrong": 0}


def _blueprint(apps, certification_id, day):
    """Return the blueprint version in force on the day, or else the last there is."""
    versions = apps.get_model("questions", "Blueprint").objects.filter(
        certification_id=certification_id
    )
    in_force = versions.filter(effective_from__lte=day).filter(
        Q(effective_to__isnull=True) | Q(effective_to__gte=day)
    )
    return (in_force.order_by("-effective_from").first()) or versions.order_by(
        "-effective_from"
    ).first()


def _order(apps, revision_id):
    options = apps.get_model("questions", "Option").objects.filter(
        revision_id=revision_id
    )
    return list(options.order_by("position").values_list("key", flat=True))


def _domain(apps, question_id, blueprint):
    alignment = (
        apps.get_model("questions", "Alignment")
        .objects.filter(question_id=question_id, blueprint=blueprint)
        .first()
    )
    return alignment.domain_id if alignment else None


def _item(apps, sitting, position, revision, contact):
    item = apps.get_model("exams", "SittingItem").objects.create(
        sitting=sitting,
        position=position,
        question_id=revision.question_id,
        revision=revision,
        domain_id=_domain(apps, revision.question_id, sitting.blueprint),
        option_order=_order(apps, revision.pk),
    )
    points = POINTS.get(contact.verdict) if contact else None
    was_shown = contact is not None and contact.verdict == "shown"
    apps.get_model("exams", "Response").objects.create(
        item=item,
        chosen=contact.chosen if contact else [],
        was_shown=was_shown,
        version=1 if contact else 0,
        saved_at=contact.met_at if contact else None,
        answered_at=contact.met_at if contact else None,
        points_numerator=0 if was_shown else points,
        points_denominator=1 if contact else None,
    )
    if contact:
        apps.get_model("exams", "KeyContact").objects.create(
            participant_id=contact.participant_id,
            question_id=contact.question_id,
            item=item,
            verdict=contact.verdict,
            met_at=contact.met_at,
        )


def _sitting(apps, blueprint, *, participant_id, started_at, **more):
    return apps.get_model("exams", "Sitting").objects.create(
        participant_id=participant_id,
        certification_id=blueprint.certification_id,
        blueprint=blueprint,
        mode="practice",
        feedback="at_once",
        seed=0,
        started_at=started_at,
        **more,
    )


def move_sets(apps, schema_editor):
    """Make a sitting of each practice set, with the same public id."""
    sittings = apps.get_model("exams", "Sitting")
    done = sittings.objects.values("public_id")
    sets = apps.get_model("exams", "PracticeSet").objects.exclude(public_id__in=done)
    contacts = apps.get_model("exams", "PracticeContact").objects
    for practice_set in sets.order_by("pk").iterator():
        blueprint = _blueprint(
            apps, practice_set.certification_id, practice_set.started_at.date()
        )
        sitting = _sitting(
            apps,
            blueprint,
            public_id=practice_set.public_id,
            participant_id=practice_set.participant_id,
            started_at=practice_set.started_at,
        )
        for old in practice_set.items.select_related("revision").order_by("position"):
            contact = contacts.filter(practice_item=old).first()
            _item(apps, sitting, old.position, old.revision, contact)


def move_contacts(apps, schema_editor):
    """Make a daily practice sitting of what was answered on question pages."""
    sittings = apps.get_model("exams", "Sitting").objects
    loose = (
        apps.get_model("exams", "PracticeContact")
        .objects.filter(practice_item=None)
        .select_related("revision", "question")
    )
    for contact in loose.order_by("met_at", "pk").iterator():
        day = contact.met_at.astimezone(datetime.UTC).date()
        sitting = sittings.filter(
            participant_id=contact.participant_id,
            certification_id=contact.question.certification_id,
            daily_date=day,
        ).first()
        if sitting is None:
            sitting = _sitting(
                apps,
                _blueprint(apps, contact.question.certification_id, day),
                participant_id=contact.participant_id,
                started_at=contact.met_at,
                daily_date=day,
            )
        taken = sitting.items.filter(contact__met_at=contact.met_at)
        if not taken.filter(revision=contact.revision).exists():
            _item(apps, sitting, sitting.items.count() + 1, contact.revision, contact)


class Migration(migrations.Migration):
    dependencies = [("exams", "0002_sittings")]

    operations = [
        migrations.RunPython(move_sets, migrations.RunPython.noop),
        migrations.RunPython(move_contacts, migrations.RunPython.noop),
    ]
