"""The author desk over HTTP: write, preview, review, publish, look back."""

from __future__ import annotations

import html as markup

import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from questions.models import Image, Objective, Question, Review
from questions.services import review
from tests import factories

pytestmark = pytest.mark.django_db

ADD = "/admin/questions/question/add/"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7"/></svg>'


@pytest.fixture
def certification():
    return factories.make_certification()


def form_of(item, certification, *, base=0, **changes):
    """Return what the editor sends for ``item``."""
    posted = {
        "certification": certification.slug,
        "base": str(base),
        "title": item.title,
        "stem": item.stem,
        "lead_in": item.lead_in,
        "kind": "multiple" if hasattr(item, "choose") else "single",
        "choose": str(getattr(item, "choose", 1)),
        "difficulty": item.difficulty.value,
        "trap": item.trap,
        "explanation": item.explanation,
        "note": "",
        "settings-slug": "",
        "settings-author": str(factories.make_profile("ada-writer").pk),
        "settings-exposure": "public",
        "settings-provenance": "human",
        "settings-sources": "",
        "settings-enemies": "",
    }
    for blueprint in certification.blueprints.all():
        objective = Objective.objects.filter(domain__blueprint=blueprint).first()
        posted[f"settings-place_{blueprint.pk}"] = f"objective-{objective.pk}"
    rows = {
        "options": [
            {
                "key": option.key,
                "text": option.text,
                "rationale": option.rationale,
                **({"is_key": "on"} if option.is_key else {}),
            }
            for option in item.options
        ],
        "references": [{"title": r.title, "url": r.url} for r in item.references],
        "exhibits": [],
    }
    for name, parts in rows.items():
        posted[f"{name}-TOTAL_FORMS"] = str(len(parts))
        posted[f"{name}-INITIAL_FORMS"] = "0"
        for place, part in enumerate(parts):
            posted[f"{name}-{place}-ORDER"] = str(place + 1)
            posted |= {f"{name}-{place}-{field}": v for field, v in part.items()}
    return {**posted, **changes}


def _change(question):
    return reverse("admin:questions_question_change", args=[question.pk])


def _move(client, question, move, **more):
    address = reverse("admin:questions_question_move", args=[question.pk, move])
    return client.post(address, more, follow=True)


def test_a_question_is_written_reviewed_and_published(
    client, author_client, reviewer_client, editor_client, certification
):
    item = factories.make_item(300)

    author_client.post(ADD, {**form_of(item, certification), "_submit": "1"})
    question = Question.objects.get()
    _move(reviewer_client, question, "approve", revision="1", comment="Clear.")
    _move(editor_client, question, "publish", revision="1")

    question.refresh_from_db()
    assert question.status == "published"
    assert question.latest_revision.to_item() == item
    assert question.alignments.count() == 2
    assert Review.objects.get().comment == "Clear."
    page = client.get(question.get_absolute_url()).content.decode()
    assert item.title in page


def test_opening_and_saving_without_a_change_makes_nothing_new(
    author_client, certification
):
    item = factories.make_item(301)
    author_client.post(ADD, form_of(item, certification))
    question = Question.objects.get()

    for _ in range(2):
        author_client.post(
            _change(question),
            form_of(item, certification, base=1, **{"settings-slug": question.slug}),
        )

    question.refresh_from_db()
    assert question.revisions.count() == 1
    assert question.events.count() == 1


@pytest.mark.parametrize(
    "text", ["a < b && c > d", "List<String>", "&lt;", "<b>", "AT&T", "$5 and $6"]
)
def test_case_6_signs_that_look_like_markup_survive_the_desk(
    author_client, certification, text
):
    item = factories.make_item(
        302,
        stem=f"The sign {text} stands here.",
        options=(
            factories.option("one", text=text),
            factories.option("two", text=f"not {text}", is_key=True),
        ),
        explanation="Why {{option:two}}.",
    )
    author_client.post(ADD, form_of(item, certification))
    question = Question.objects.get()

    html = author_client.get(_change(question)).content.decode()

    assert f"The sign {text} stands here." in markup.unescape(html)
    author_client.post(
        _change(question),
        form_of(item, certification, base=1, **{"settings-slug": question.slug}),
    )
    question.refresh_from_db()
    assert question.revisions.count() == 1
    assert question.latest_revision.to_item().options[0].text == text


def test_a_save_on_top_of_a_newer_one_shows_both_texts_and_loses_neither(
    author_client, certification
):
    item = factories.make_item(303)
    author_client.post(ADD, form_of(item, certification))
    question = Question.objects.get()
    theirs = factories.make_item(303, stem="Their stem, saved first.")
    mine = factories.make_item(303, stem="My stem, sent second.")
    author_client.post(_change(question), form_of(theirs, certification, base=1))

    refused = author_client.post(
        _change(question), form_of(mine, certification, base=1)
    )

    html = refused.content.decode()
    assert refused.status_code == 409
    assert "Somebody saved revision 2" in html
    assert "My stem, sent second." in html
    assert "Their" in html
    assert question.revisions.count() == 2
    author_client.post(_change(question), form_of(mine, certification, base=2))
    assert question.revisions.count() == 3


def test_a_faulty_form_keeps_everything_that_was_typed(author_client, certification):
    posted = form_of(
        factories.make_item(304), certification, title="", trap="A trap typed already"
    )

    response = author_client.post(ADD, posted)

    html = response.content.decode()
    assert response.status_code == 422
    assert "A trap typed already" in html
    assert "Nothing was saved yet" in html
    assert not Question.objects.exists()


def test_an_option_without_a_key_gets_one_from_its_text(author_client, certification):
    posted = form_of(factories.make_item(305), certification)
    posted["options-0-key"] = ""
    posted["options-0-text"] = "Build a new pipeline"

    author_client.post(ADD, posted)

    option = Question.objects.get().latest_revision.options.get(position=1)
    assert option.key == "build-a-new"


def test_the_order_of_options_follows_the_places_given(author_client, certification):
    posted = form_of(factories.make_item(306), certification)
    posted["options-0-ORDER"], posted["options-3-ORDER"] = "4", "1"

    author_client.post(ADD, posted)

    options = Question.objects.get().latest_revision.to_item().options
    assert [option.key for option in options] == ["ask", "measure", "replace", "wait"]


def test_more_rows_are_had_without_scripts_and_nothing_is_saved(
    author_client, certification
):
    posted = form_of(factories.make_item(340), certification)

    html = author_client.post(ADD, {**posted, "_more": "1"}).content.decode()

    assert 'name="options-4-text"' in html
    assert 'name="exhibits-0-text"' in html
    assert posted["stem"] in markup.unescape(html)
    assert not Question.objects.exists()


def test_a_picture_is_taken_once_and_shown(author_client, client, certification):
    posted = form_of(factories.make_item(307), certification)
    posted |= {
        "exhibits-TOTAL_FORMS": "1",
        "exhibits-0-alt": "A line",
        "exhibits-0-file": SimpleUploadedFile("line.svg", SVG, "image/svg+xml"),
    }

    author_client.post(ADD, posted)

    image = Image.objects.get()
    assert bytes(image.content) == SVG
    address = image.get_absolute_url()
    assert client.get(address).status_code == 404  # a draft's picture is nobody's
    reply = author_client.get(address)
    assert reply.headers["Content-Type"] == "image/svg+xml"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "content",
    [
        SVG.replace(b"<path", b"<script>alert(1)</script><path"),
        SVG.replace(b"<path", b'<path onload="alert(1)"'),
        b"GIF89a not really",
        b"x" * 1_100_000,
    ],
    ids=["script", "handler", "no picture", "too large"],
)
def test_a_picture_that_is_not_one_is_refused_and_nothing_is_saved(
    author_client, certification, content
):
    posted = form_of(factories.make_item(308), certification)
    posted |= {
        "exhibits-TOTAL_FORMS": "1",
        "exhibits-0-alt": "A line",
        "exhibits-0-file": SimpleUploadedFile("line.svg", content, "image/svg+xml"),
    }

    response = author_client.post(ADD, posted)

    assert response.status_code == 422
    assert "The picture was not taken" in response.content.decode()
    assert not Question.objects.exists()
    assert not Image.objects.exists()


def test_the_preview_shows_both_sides_and_saves_nothing(author_client, certification):
    item = factories.make_item(309, stem="A stem <script>alert(1)</script>.")

    response = author_client.post("/desk/preview/", form_of(item, certification))

    html = " ".join(response.content.decode().split())
    assert "Before the answer" in html
    assert "Correct, and you chose it" in html
    assert "<script" not in html
    assert "sandbox" in response.headers["Content-Security-Policy"]
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert not Question.objects.exists()


def test_the_preview_is_for_the_desk_only(client, learner_client, certification):
    question = factories.make_draft(certification)

    for visitor in (client, learner_client):
        assert visitor.get(f"/desk/preview/?question={question.pk}").status_code == 403
        posted = form_of(factories.make_item(310), certification)
        assert visitor.post("/desk/preview/", posted).status_code == 403


def test_problems_are_listed_for_words_that_are_not_saved(author_client, certification):
    item = factories.make_item(311, trap="", explanation="As (B) shows.")

    html = author_client.post(
        f"/admin/questions/question/problems/?certification={certification.slug}",
        form_of(item, certification),
    ).content.decode()

    assert "Blocks" in html
    assert "explanation" in html
    assert not Question.objects.exists()


def test_what_can_be_published_is_said_by_where_the_question_stands(
    author_client, reviewer_client, editor_client, certification
):
    item = factories.make_item(330)
    author_client.post(ADD, {**form_of(item, certification), "_submit": "1"})
    question = Question.objects.get()
    writing = (
        f"/admin/questions/question/problems/?certification={certification.slug}"
        f"&question={question.pk}"
    )

    def said():
        question.refresh_from_db()
        shown = author_client.get(_change(question)).content.decode()
        typed = author_client.post(
            writing, form_of(item, certification, base=1)
        ).content.decode()
        [found] = {
            " ".join(
                page.partition("No problem found.")[2].partition("</p>")[0].split()
            )
            for page in (shown, typed)
        }
        return found

    assert said() == "It can be published once it is approved."
    _move(reviewer_client, question, "approve", revision="1")
    assert said().startswith("As approved it can be published;")
    _move(editor_client, question, "publish", revision="1")
    assert said() == "It is published; what you change here can be once it is approved."
    _move(editor_client, question, "retire", revision="1")
    assert said() == "It is retired."


def test_what_a_draft_may_lack_and_publishing_asks_for_is_not_called_optional(
    author_client, certification
):
    page = " ".join(
        author_client.get(f"{ADD}?certification={certification.slug}")
        .content.decode()
        .split()
    )

    for name in ("Trap", "Explanation", "Rationale"):
        assert f'{name} <span class="desk-optional">needed to publish</span>' in page
    assert 'Lead-in <span class="desk-optional">optional</span>' in page


def test_a_reviewer_reads_and_approves_but_does_not_write(
    author_client, reviewer_client, certification
):
    author_client.post(
        ADD, {**form_of(factories.make_item(312), certification), "_submit": "1"}
    )
    question = Question.objects.get()

    page = reviewer_client.get(_change(question)).content.decode()
    written = reviewer_client.post(
        _change(question), form_of(factories.make_item(313), certification, base=1)
    )

    assert "Save draft" not in page
    assert "Approve" in page
    assert written.status_code == 403
    assert question.revisions.count() == 1


def test_an_author_is_told_why_the_own_question_waits_for_others(
    author_client, certification
):
    author_client.post(
        ADD, {**form_of(factories.make_item(314), certification), "_submit": "1"}
    )
    question = Question.objects.get()

    reply = _move(author_client, question, "approve", revision="1")

    assert "Only a reviewer can do this" in reply.content.decode()
    question.refresh_from_db()
    assert question.status == "in_review"


def test_publishing_with_problems_lists_them_all(
    author_client, reviewer_client, editor_client, certification
):
    item = factories.make_item(315, trap="", references=())
    author_client.post(ADD, {**form_of(item, certification), "_submit": "1"})
    question = Question.objects.get()
    _move(reviewer_client, question, "approve", revision="1")

    html = _move(editor_client, question, "publish", revision="1").content.decode()

    assert "trap:" in html
    assert "references:" in html
    question.refresh_from_db()
    assert not question.is_live


def test_history_shows_who_did_what_and_what_changed(author_client, certification):
    item = factories.make_item(316)
    author_client.post(ADD, form_of(item, certification))
    question = Question.objects.get()
    changed = factories.make_item(316, trap="Quite another trap than before.")
    author_client.post(_change(question), form_of(changed, certification, base=1))

    html = author_client.get(
        reverse("admin:questions_question_history", args=[question.pk])
    ).content.decode()

    assert "<ins>" in html
    assert "<del>" in html
    assert "author@example.org" in html
    assert "Revised" in html


def test_bulk_actions_say_what_was_done_and_what_was_refused(
    reviewer, editor_client, certification, author, editor
):
    good = factories.make_draft(certification, factories.make_item(317), by=author)
    draft = factories.make_draft(certification, factories.make_item(318), by=author)
    review.submit_question(question=good, by=author, at=factories.NOW)
    review.approve_question(question=good, revision=1, by=reviewer, at=factories.NOW)

    html = editor_client.post(
        "/admin/questions/question/",
        {"action": "publish_chosen", "_selected_action": [good.pk, draft.pk]},
        follow=True,
    ).content.decode()

    assert "1 question is published" in html
    assert f"{draft.slug}: Only a question that is approved" in html


@pytest.mark.parametrize(
    "query",
    [
        "",
        "status__exact=draft",
        "lacks_rationale=yes",
        "modified=yes",
        "review_due=yes",
        "exposure__exact=public",
        "q=story",
        "latest_revision__difficulty__exact=medium",
        "o=1.-2",
    ],
)
def test_the_list_takes_every_filter_in_a_fixed_number_of_queries(
    superuser_client, certification, query, django_assert_max_num_queries
):
    for number in range(5):
        factories.make_draft(certification, factories.make_item(320 + number))

    with django_assert_max_num_queries(30):
        response = superuser_client.get(f"/admin/questions/question/?{query}")

    assert response.status_code == 200


def test_coverage_compares_every_version_with_its_weights(author_client, certification):
    factories.make_published(certification)
    old = certification.blueprints.get(version="1")

    html = author_client.get(
        f"/admin/questions/question/coverage/?blueprint={old.pk}"
    ).content.decode()

    assert "Domain 1 of 1" in html
    assert "100 %" in html
    assert "59 %" in html  # 60 of 101, as published weights need not total 100


def test_the_queue_lists_what_waits(author_client, reviewer_client, certification):
    author_client.post(
        ADD, {**form_of(factories.make_item(330), certification), "_submit": "1"}
    )

    html = reviewer_client.get("/admin/questions/question/queue/").content.decode()

    assert "Story 330" in html


def test_only_an_editor_exports(editor_client, author_client, certification):
    question = factories.make_published(certification)
    chosen = {"action": "export_chosen", "_selected_action": [question.pk]}

    exported = editor_client.post("/admin/questions/question/", chosen)
    refused = author_client.post("/admin/questions/question/", chosen, follow=True)

    assert f"question: {question.slug}" in exported.content.decode()
    assert "Only an editor can export" in refused.content.decode()


def test_strangers_and_learners_do_not_enter(client, learner_client, certification):
    question = factories.make_draft(certification)

    for visitor in (client, learner_client):
        for address in (ADD, _change(question), "/admin/questions/question/queue/"):
            assert visitor.get(address).status_code in {302, 403}


def test_an_owner_cannot_approve_after_crediting_somebody_else(
    reviewer, reviewer_client, certification
):
    reviewer.groups.add(Group.objects.get(name="author"))
    own = factories.make_profile("own-profile", user=reviewer)
    item = factories.make_item(310)
    # As a file brings it: nobody at the desk wrote its words.
    question = factories.make_draft(certification, item, author=own)
    review.submit_question(question=question, by=reviewer, at=factories.NOW)

    response = reviewer_client.post(
        _change(question), form_of(item, certification, base=1)
    )
    _move(reviewer_client, question, "approve", revision="1")

    question.refresh_from_db()
    assert response.status_code == 422
    assert "This question is yours" in response.content.decode()
    assert question.author == own
    assert question.status == "in_review"
