"""The bank in the repository holds to its own policy, measured."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks import guesser
from questions.domain import checks, items, similarity, tells
from questions.formats import yaml_bank
from questions.formats.records import (
    BankRecord,
    BlueprintRecord,
    CertificationRecord,
    QuestionRecord,
)
from questions.formats.result import ReadResult

BANK = Path(__file__).resolve().parents[2] / "questions" / "bank"
CERTIFICATIONS = ["pmle", "saa-c03"]
MOST_OVER_CHANCE = 0.05
LEAST_P = 0.05


@pytest.fixture(scope="module")
def read() -> ReadResult[BankRecord]:
    return yaml_bank.read_bank(BANK)


@pytest.fixture(scope="module")
def bank(read: ReadResult[BankRecord]) -> tuple[QuestionRecord, ...]:
    return read.of(QuestionRecord)


@pytest.fixture(scope="module", params=CERTIFICATIONS)
def certification(
    read: ReadResult[BankRecord], request: pytest.FixtureRequest
) -> CertificationRecord:
    [found] = [
        each for each in read.of(CertificationRecord) if each.slug == request.param
    ]
    return found


@pytest.fixture(scope="module")
def blueprint(certification: CertificationRecord) -> BlueprintRecord:
    """Return the newest version of the guide, which the bank is written for."""
    return max(certification.blueprints, key=lambda each: each.effective_from)


@pytest.fixture(scope="module")
def records(
    bank: tuple[QuestionRecord, ...], certification: CertificationRecord
) -> tuple[QuestionRecord, ...]:
    return tuple(each for each in bank if each.certification == certification.slug)


@pytest.fixture(scope="module")
def report(
    records: tuple[QuestionRecord, ...], blueprint: BlueprintRecord
) -> tells.Report:
    return tells.report(
        [
            tells.Row(
                item=record.item,
                domain=record.alignments[blueprint.version].partition(".")[0],
                objective=record.alignments[blueprint.version],
                exposure=record.exposure,
            )
            for record in records
        ]
    )


def test_every_file_is_read_without_a_problem(read):
    assert read.problems == ()


def test_every_certification_is_held_to_these_limits(read):
    found = [each.slug for each in read.of(CertificationRecord)]

    assert sorted(found) == CERTIFICATIONS


def test_no_question_has_anything_to_mend(bank):
    found = {
        record.slug: [problem.code for problem in checks.problems(record.item)]
        for record in bank
    }

    assert not {slug: codes for slug, codes in found.items() if codes}


def test_no_two_questions_are_nearly_the_same(bank):
    prints = [(r.slug, similarity.fingerprint(r.item)) for r in bank]
    twins = [
        (one, other)
        for place, (one, own) in enumerate(prints)
        for other, theirs in prints[place + 1 :]
        if similarity.is_near_duplicate(own, theirs)
    ]

    assert not twins


@pytest.mark.parametrize("cue", ["longest", "shortest", "overlap"])
def test_no_cue_finds_the_key_more_often_than_chance(report, cue):
    found: tells.Cue = getattr(report, cue)

    assert found.n >= 60
    assert found.share is not None
    assert found.chance is not None
    assert found.share <= found.chance + MOST_OVER_CHANCE


def test_a_guesser_that_reads_words_only_gets_little_above_chance(records):
    guessed, chance = guesser.accuracy([record.item for record in records])

    assert 100 * (guessed - chance) <= guesser.LIMIT


def test_keys_stand_evenly_in_the_files(report):
    assert report.positions.p_value is not None
    assert report.positions.p_value > LEAST_P


def test_every_domain_has_its_share(report, blueprint):
    weights = {domain.code: domain.weight for domain in blueprint.domains}
    counts = Counter(report.counts.by_domain)

    for code, weight in weights.items():
        wanted = weight / sum(weights.values())
        assert abs(counts[code] / report.counts.n - wanted) < 0.02, code


def test_the_bank_is_as_wide_as_its_policy_asks(records):
    kinds = Counter(items.kind_of(record.item) for record in records)
    levels = Counter(record.item.difficulty for record in records)
    exposures = Counter(record.exposure for record in records)

    assert kinds["multiple"] / len(records) > 0.15
    assert all(levels[level] / len(records) > 0.15 for level in items.Difficulty)
    assert exposures[items.Exposure.MEMBERS] >= 10
    assert exposures[items.Exposure.MOCK_ONLY] >= 10
    assert sum(bool(record.item.exhibits) for record in records) >= 6
