"""No answer that was called saved is dropped without its owner being asked."""

from __future__ import annotations

import uuid

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from questions.exams.domain import saving
from questions.exams.domain.saving import KEPT_SAVES, Outcome

answers = st.sampled_from(("a", "b", "c", ""))


class Devices(RuleBasedStateMachine):
    """Two devices save, retry, send old requests again, and meet stale bases.

    The server keeps what ``judge`` says. A device only knows versions it was told of.
    """

    saves = Bundle("saves")

    def __init__(self) -> None:
        super().__init__()
        self.version = 0
        self.stored = ""
        self.recent: list[uuid.UUID] = []
        self.known = {1: 0, 2: 0}
        self.acknowledged: list[tuple[int, str]] = []
        self.replies: dict[uuid.UUID, int] = {}
        self.history: dict[int, str] = {0: ""}

    def send(self, device, save_id, base, answer):
        judged = saving.judge(
            mark=save_id,
            base_version=base,
            version=self.version,
            recent=self.recent,
        )
        if judged.outcome is Outcome.STORE:
            self.version = judged.version
            self.stored = answer
            self.recent = [*self.recent, save_id][-KEPT_SAVES:]
            self.history[self.version] = answer
            assert save_id not in self.replies
        if judged.outcome is not Outcome.STALE:
            assert self.replies.setdefault(save_id, judged.version) == judged.version
            assert self.history[judged.version] == answer
            self.known[device] = max(self.known[device], judged.version)
        return judged.outcome

    @rule(target=saves, device=st.sampled_from((1, 2)), answer=answers)
    def save(self, device, answer):
        save = (device, uuid.uuid4(), self.known[device], answer)
        before = self.version
        outcome = self.send(*save)
        # A device overwrites only what it has seen: the other's work is never undone
        # unless this device knew of it.
        if outcome is Outcome.STORE:
            assert save[2] == before
        else:
            assert outcome is Outcome.STALE
            assert self.version == before
        return save

    @rule(save=saves)
    def retry(self, save):
        before, stored = self.version, self.stored
        self.send(*save)
        if save[1] in self.replies and self.replies[save[1]] <= before:
            assert (self.version, self.stored) == (before, stored)

    @rule(device=st.sampled_from((1, 2)))
    def ask_the_owner(self, device):
        # The page shows both answers; from then on the device knows the stored one.
        self.known[device] = self.version

    @invariant()
    def what_was_called_saved_is_in_the_history(self):
        for save_id, version in self.replies.items():
            assert version in self.history, save_id


TestDevices = Devices.TestCase


@given(st.integers(0, 100), st.integers(0, 100))
def test_only_the_current_base_is_stored(base, version):
    judged = saving.judge(
        mark=uuid.uuid4(), base_version=base, version=version, recent=()
    )

    assert (judged.outcome is Outcome.STORE) is (base == version)


def test_an_older_save_sent_again_gets_the_reply_it_got():
    ids = [uuid.uuid4() for _ in range(5)]

    judged = saving.judge(mark=ids[1], base_version=1, version=5, recent=ids)

    assert judged == saving.Judgement(outcome=Outcome.REPEAT, version=2)
