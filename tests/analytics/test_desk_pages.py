"""The author desk's pages of figures: one question, a certification, a file."""

from __future__ import annotations

import csv
import datetime
import io
import re

import pytest

from analytics.models import (
    CalibrationRun,
    FormStatistic,
)
from questions.exams.models import MockExam
from questions.models import Certification
from tests import factories
from tests.analytics.runs import NOW, make_estimate, make_run, make_statistic

pytestmark = pytest.mark.django_db


def words(response):
    """Return the page with its white space evened out."""
    return " ".join(response.content.decode().split())


@pytest.fixture
def question():
    certification = factories.make_certification()
    return factories.make_published(certification, factories.make_item(401))


def address(question):
    return f"/admin/analytics/calibrationrun/question/{question.pk}/"


def bank_address(question, query=""):
    return f"/admin/analytics/calibrationrun/bank/{question.certification_id}/{query}"


def test_a_question_without_a_run_says_when_figures_come(author_client, question):
    page = words(author_client.get(address(question)))

    assert "No figures yet." in page
    assert "nan" not in page.lower()


def test_a_question_nobody_attempted_says_so(author_client, question):
    make_run(question.certification)

    assert "Nobody has attempted it yet." in words(author_client.get(address(question)))


def test_a_suspected_wrong_key_is_named_with_what_to_do(author_client, question):
    run = make_run(question.certification)
    revision = question.published_revision
    statistic = make_statistic(run, revision)
    make_estimate(run, revision)

    page = words(author_client.get(address(question)))

    wrong = statistic.options[-1]["key"]
    assert f"<b>Suspected wrong key: {wrong}.</b> 60 % chose this option" in page
    assert "Check the key first" in page
    assert "<dd>40 %</dd>" in page
    assert "+0.40 ± 0.25" in page
    assert "1.10 ± 0.20" in page


def test_below_thirty_attempts_there_are_counts_and_dashes(author_client, question):
    run = make_run(question.certification)
    make_statistic(
        run,
        question.published_revision,
        attempts=29,
        facility=None,
        discrimination=None,
        median_seconds=None,
        options=[
            {
                "key": "a",
                "is_key": True,
                "chosen": 29,
                "share": None,
                "mean_ability": None,
                "correlation": None,
            }
        ],
        curves=[],
        concerns=[],
    )

    page = words(author_client.get(address(question)))

    assert "29 first attempts" in page
    assert page.count("<dd>–</dd>") == 4
    assert "<td>29</td> <td>–</td> <td>–</td> <td>–</td>" in page


def test_an_estimate_of_few_attempts_is_shown_nowhere(author_client, bank):
    run = CalibrationRun.objects.get(is_in_force=True)
    former = CalibrationRun.objects.get(is_in_force=False)
    rare = bank[2].published_revision
    for each in (former, run):
        make_estimate(each, rare, -3.25, attempts=29)

    alone = words(author_client.get(address(bank[2])))
    together = words(author_client.get(bank_address(bank[0])))
    file = words(author_client.get(bank_address(bank[0], "file/")))

    assert "How hard, and how telling" not in alone
    assert "3.25" not in alone + together + file
    assert "the 2 difficulties that both runs know" in together


def test_a_failed_run_is_told_and_the_last_good_one_stays(author_client, question):
    run = make_run(question.certification)
    make_statistic(run, question.published_revision)
    CalibrationRun.objects.create(
        certification=question.certification,
        status=CalibrationRun.Status.FAILED,
        started_at=NOW + datetime.timedelta(days=1),
        finished_at=NOW + datetime.timedelta(days=1),
        through=9,
        rows=9,
        error="The disk is full.",
        code_version="test",
    )

    page = words(author_client.get(address(question)))

    assert "The disk is full." in page
    assert "60 first attempts" in page


@pytest.fixture
def bank(question):
    """Three questions: a doubtful one, an easy one, one that nobody tried enough."""
    easy = factories.make_published(question.certification, factories.make_item(402))
    rare = factories.make_published(question.certification, factories.make_item(403))
    former = make_run(
        question.certification, at=NOW - datetime.timedelta(days=1), in_force=False
    )
    run = make_run(question.certification)
    make_statistic(run, question.published_revision)
    make_statistic(
        run, easy.published_revision, attempts=90, facility=0.97, concerns=["too_easy"]
    )
    make_statistic(
        run,
        rare.published_revision,
        attempts=3,
        facility=None,
        discrimination=None,
        concerns=[],
    )
    for each, difficulty in ((question, 0.4), (easy, -2.0)):
        make_estimate(former, each.published_revision, difficulty - 0.3)
        make_estimate(run, each.published_revision, difficulty)
    return question, easy, rare


def titles(page, bank):
    """Return the questions of the worklist in the order of the page."""
    table = page[page.index("Published questions") : page.index("Item map")]
    known = {each.published_revision.title: each for each in bank}
    return sorted((title for title in known if title in table), key=table.index)


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("concerns", (0, 1, 2)),
        ("facility", (0, 1, 2)),
        ("attempts", (1, 0, 2)),
        ("difficulty", (0, 1, 2)),
        ("no-such-column", (0, 1, 2)),
    ],
)
def test_the_worklist_is_sorted(author_client, bank, sort, order):
    page = words(author_client.get(bank_address(bank[0], f"?sort={sort}")))

    wanted = [bank[place].published_revision.title for place in order]
    assert titles(page, bank) == wanted


def test_the_worklist_shows_one_kind(author_client, bank):
    page = words(author_client.get(bank_address(bank[0], "?concern=too_easy")))
    none = words(author_client.get(bank_address(bank[0], "?concern=no_such_concern")))

    assert titles(page, bank) == [bank[1].published_revision.title]
    assert len(titles(none, bank)) == 3


def test_the_page_says_how_far_difficulties_moved(author_client, bank):
    page = words(author_client.get(bank_address(bank[0])))

    assert "the 2 difficulties that both runs know moved by 0.300 logits" in page
    assert "<td>+0.10</td> <td>+0.40</td>" in page


def test_the_page_shows_fixed_forms(author_client, bank):
    question = bank[0]
    blueprint = question.certification.blueprints.first()
    form = MockExam.objects.create(
        certification=question.certification,
        blueprint=blueprint,
        name="Form one",
        slug="form-one",
        length=1,
        minutes=10,
    )
    FormStatistic.objects.create(
        run=CalibrationRun.objects.get(is_in_force=True),
        mock_exam=form,
        attempts=1,
        figures={"questions": 1, "mean": 1.0, "internal_consistency": None},
    )

    page = words(author_client.get(bank_address(question)))

    assert "Form one</th> <td>1</td> <td>1</td> <td>1.00</td> <td>–</td>" in page


def test_the_file_has_every_question_and_no_formula(author_client, bank):
    reply = author_client.get(bank_address(bank[0], "file/"))
    rows = list(csv.DictReader(io.StringIO(reply.content.decode("utf-8-sig"))))

    assert {row["question"] for row in rows} == {each.slug for each in bank}
    easy = next(row for row in rows if row["question"] == bank[1].slug)
    assert (easy["facility"], easy["concerns"]) == ("0.97", "too_easy")
    assert easy["difficulty"] == "-2.0"
    rare = next(row for row in rows if row["question"] == bank[2].slug)
    assert (rare["facility"], rare["difficulty"]) == ("", "")


def test_without_a_run_there_is_no_file(author_client, question):
    assert author_client.get(bank_address(question, "file/")).status_code == 404


def test_with_several_certifications_they_are_listed(author_client, question):
    other = factories.make_certification("OTH")

    page = words(author_client.get("/admin/analytics/calibrationrun/bank/"))

    assert f"/admin/analytics/calibrationrun/bank/{other.pk}/" in page
    assert page.count("no figures yet") == Certification.objects.count() == 2


def test_every_link_on_the_pages_leads_somewhere(author_client, bank):
    for path in (
        address(bank[0]),
        bank_address(bank[0]),
        "/admin/analytics/calibrationrun/bank/",
        "/admin/analytics/calibrationrun/status/",
    ):
        page = words(author_client.get(path))
        links = set(re.findall(r'href="(/admin/[^"]*)"', page))

        assert links
        for link in links:
            assert author_client.get(link).status_code == 200, (path, link)


def test_learners_get_none_of_it(learner_client, client, bank):
    for path in (
        address(bank[0]),
        bank_address(bank[0]),
        bank_address(bank[0], "file/"),
        "/admin/analytics/calibrationrun/bank/",
    ):
        assert learner_client.get(path).status_code in {302, 403}
        assert client.get(path).status_code in {302, 403}


def test_the_worklist_costs_the_same_for_many_questions(
    author_client, bank, django_assert_max_num_queries
):
    with django_assert_max_num_queries(20):
        author_client.get(bank_address(bank[0]))
