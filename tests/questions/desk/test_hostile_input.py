"""The author desk, sent what no browser of ours would send."""

from __future__ import annotations

import pytest

from questions.models import Question
from tests import factories
from tests.questions.desk.test_editor import ADD, form_of

pytestmark = pytest.mark.django_db
LONG = "9" * 5000


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.mark.parametrize(
    ("address", "status"),
    [
        (f"/desk/preview/?question={LONG}", 404),
        ("/desk/preview/?question=%C2%B2", 404),
        (f"/admin/questions/question/{LONG}/change/", 404),
        (f"/admin/questions/question/{LONG}/history/", 404),
        (f"/admin/questions/question/?domain={LONG}", 200),
        (f"/admin/questions/question/coverage/?blueprint={LONG}", 200),
    ],
)
def test_a_number_of_thousands_of_digits_names_nothing(
    superuser_client, certification, address, status
):
    assert superuser_client.get(address).status_code == status


def test_a_move_on_a_revision_of_thousands_of_digits_is_refused(
    reviewer_client, author, certification
):
    draft = factories.make_draft(certification, by=author)

    for move in ("approve", "publish"):
        address = f"/admin/questions/question/{draft.pk}/move/{move}/"
        assert reviewer_client.post(address, {"revision": LONG}).status_code == 302

    draft.refresh_from_db()
    assert draft.status == "draft"


def _key_twice(form):
    form["options-1-key"] = form["options-0-key"]


def _made_key_twice(form):
    form["options-0-key"] = ""
    form["options-0-text"] = form["options-1-key"]


def _no_such_picture(form):
    form |= {"exhibits-TOTAL_FORMS": "1", "exhibits-0-sha256": "f" * 64}


def _rows(count):
    def change(form):
        form["options-TOTAL_FORMS"] = count

    return change


def _title(text):
    def change(form):
        form["title"] = text

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_key_twice, "Another option has the key"),
        (_no_such_picture, "That picture is not stored"),
        (_rows("many"), ""),
        (_rows("999999"), ""),
        (_title("日本語の質問"), "No address can be made from this title"),
    ],
)
def test_a_form_that_cannot_be_stored_comes_back_with_what_is_wrong(
    author_client, certification, change, says
):
    form = form_of(factories.make_item(1), certification)
    change(form)

    response = author_client.post(ADD, form)

    assert response.status_code == 422
    assert says in response.content.decode()
    assert not Question.objects.exists()


@pytest.mark.parametrize("change", [_key_twice, _no_such_picture, _rows("many")])
@pytest.mark.parametrize(
    "address",
    ["/desk/preview/", "/admin/questions/question/problems/?certification=tst"],
)
def test_what_cannot_be_stored_cannot_be_previewed_either(
    author_client, certification, address, change
):
    form = form_of(factories.make_item(1), certification)
    change(form)

    assert author_client.post(address, form).status_code == 200


def test_what_stands_on_one_line_stays_on_one_line(author_client, certification):
    form = form_of(factories.make_item(1), certification, title="One\r\nline")
    form |= {"references-0-title": "A\nguide", "exhibits-TOTAL_FORMS": "1"}
    form |= {"exhibits-0-text": "a\nb", "exhibits-0-caption": "Two\nletters"}

    author_client.post(ADD, form)

    item = Question.objects.get().latest_revision.to_item()
    assert item.title == "One line"
    assert item.references[0].title == "A guide"
    assert item.exhibits[0].caption == "Two letters"
    assert item.exhibits[0].text == "a\nb"


def test_a_key_made_from_a_text_keeps_clear_of_keys_typed_below(
    author_client, certification
):
    form = form_of(factories.make_item(1), certification)
    _made_key_twice(form)

    author_client.post(ADD, form)

    options = Question.objects.get().latest_revision.options.order_by("position")
    assert [option.key for option in options][:2] == ["measure-2", "measure"]
