"""Choose questions that meet a blueprint. Seeded, so that a form can be drawn again.

Questions are drawn in units: a case study's questions come together or not at all.
Unseen goes before missed, missed before known; within that, questions reserved for
mocks before members' and public ones; within that the draw keeps objectives and
difficulties in balance.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from questions.domain import blueprint

DIFFICULTY_SHARES: Final = {"easy": 30, "medium": 50, "hard": 20}
"""The mix that a form aims at, in per cent."""

SCENARIOS_PER_FORM: Final = 3

UNSEEN, MISSED, KNOWN = 0, 1, 2
"""Standings of a question for a learner, the first preferred."""

Enemies = Mapping[int, Collection[int]]
"""For a question, those that never share a form with it."""


class Candidate(NamedTuple):
    """A question that may be drawn. ``reserve`` is 0 for mock-only, 2 for public."""

    question: int
    domain: int
    objective: int
    difficulty: str
    scenario: int
    reserve: int
    standing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortage(Exception):
    """Domains for which too few questions can be drawn: wanted and found."""

    wanted: Mapping[int, int]
    found: Mapping[int, int]


def assemble(
    *,
    candidates: Sequence[Candidate],
    weights: Mapping[int, int],
    length: int,
    seed: int,
    enemies: Enemies | None = None,
) -> list[int]:
    """Return ``length`` question ids in the order in which they are asked.

    Raises:
        Shortage: some domain has too few questions for its quota.
    """
    quotas = blueprint.quotas(weights, length)
    draw = _Draw(
        quotas=quotas,
        rng=random.Random(seed),  # noqa: S311  (a draw, not a secret)
        enemies=enemies or {},
    )
    draw.take_scenarios(_scenarios(candidates), _marginal_tiers(candidates, quotas))
    buckets = _buckets(candidates)
    for domain in quotas:
        draw.take_singles(domain, buckets.get(domain, {}))
    draw.check()
    return draw.in_order()


def longest(
    *, available: Mapping[int, int], weights: Mapping[int, int], most: int
) -> int:
    """Return the greatest length, ``most`` at most, that the domains can fill."""
    for length in range(most, 0, -1):
        quotas = blueprint.quotas(weights, length)
        if all(available.get(domain, 0) >= quota for domain, quota in quotas.items()):
            return length
    return 0


Tier = tuple[int, int]
Buckets = dict[Tier, dict[tuple[int, str], list[int]]]


def _buckets(candidates: Iterable[Candidate]) -> dict[int, Buckets]:
    """Return the questions outside case studies by domain, tier and kind of place."""
    found: dict[int, Buckets] = {}
    for question, domain, objective, difficulty, scenario, reserve, standing in sorted(
        candidates
    ):
        if scenario:
            continue
        tiers = found.setdefault(domain, {})
        places = tiers.setdefault((standing, reserve), {})
        places.setdefault((objective, difficulty), []).append(question)
    return found


def _scenarios(candidates: Iterable[Candidate]) -> dict[int, list[Candidate]]:
    found: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.scenario:
            found[candidate.scenario].append(candidate)
    return {scenario: sorted(found[scenario]) for scenario in sorted(found)}


def _marginal_tiers(
    candidates: Iterable[Candidate], quotas: Mapping[int, int]
) -> dict[int, Tier]:
    """Return the last tier that each domain needs, if it took single questions only."""
    counts: dict[int, Counter[Tier]] = defaultdict(Counter)
    for candidate in candidates:
        if not candidate.scenario:
            counts[candidate.domain][candidate.standing, candidate.reserve] += 1
    marginal: dict[int, Tier] = {}
    for domain, quota in quotas.items():
        needed = quota
        marginal[domain] = (KNOWN, KNOWN + 1)
        for tier in sorted(counts[domain]):
            needed -= counts[domain][tier]
            if needed <= 0:
                marginal[domain] = tier
                break
    return marginal


@dataclass(slots=True, kw_only=True)
class _Draw:
    """A form in the making."""

    quotas: Mapping[int, int]
    rng: random.Random
    enemies: Enemies
    units: list[list[int]] = field(default_factory=list)
    filled: Counter[int] = field(default_factory=Counter)
    barred: set[int] = field(default_factory=set)
    objectives: Counter[int] = field(default_factory=Counter)
    difficulties: Counter[str] = field(default_factory=Counter)

    def take_scenarios(
        self,
        scenarios: Mapping[int, list[Candidate]],
        marginal: Mapping[int, Tier],
    ) -> None:
        """Take whole case studies that fit, and are as fresh as what they replace."""
        order = list(scenarios)
        self.rng.shuffle(order)
        order.sort(key=lambda name: max(c.standing for c in scenarios[name]))
        taken = 0
        for name in order:
            unit = scenarios[name]
            if taken < SCENARIOS_PER_FORM and self._fits(unit, marginal):
                for candidate in unit:
                    self._note(candidate.question, candidate[1:4])
                self.units.append([candidate.question for candidate in unit])
                taken += 1

    def take_singles(self, domain: int, tiers: Buckets) -> None:
        """Fill the domain's quota, the best tier first."""
        for tier in sorted(tiers):
            places = {place: list(found) for place, found in tiers[tier].items()}
            while places and self.filled[domain] < self.quotas[domain]:
                place = min(places, key=self._surplus)
                question = self._draw_from(places[place])
                if not places[place]:
                    del places[place]
                if question is not None:
                    self._note(question, (domain, *place))
                    self.units.append([question])

    def check(self) -> None:
        """Refuse a form with too few questions in some domain."""
        if any(self.filled[domain] < quota for domain, quota in self.quotas.items()):
            raise Shortage(wanted=dict(self.quotas), found=dict(self.filled))

    def in_order(self) -> list[int]:
        """Return the questions, units mixed and each kept together."""
        self.rng.shuffle(self.units)
        return [question for unit in self.units for question in unit]

    def _fits(self, unit: list[Candidate], marginal: Mapping[int, Tier]) -> bool:
        wanted = Counter(candidate.domain for candidate in unit)
        return (
            all(
                self.filled[domain] + count <= self.quotas.get(domain, 0)
                for domain, count in wanted.items()
            )
            and all(c.question not in self.barred for c in unit)
            and all((c.standing, c.reserve) <= marginal[c.domain] for c in unit)
        )

    def _surplus(self, place: tuple[int, str]) -> tuple[float, float]:
        """Return how far a place is ahead of its share: the least goes first."""
        objective, difficulty = place
        mixed = self.difficulties[difficulty] / DIFFICULTY_SHARES.get(difficulty, 10)
        return self.objectives[objective], mixed

    def _draw_from(self, found: list[int]) -> int | None:
        place = self.rng.randrange(len(found))
        found[place], found[-1] = found[-1], found[place]
        question = found.pop()
        return None if question in self.barred else question

    def _note(self, question: int, place: tuple[int, int, str]) -> None:
        domain, objective, difficulty = place
        self.filled[domain] += 1
        self.objectives[objective] += 1
        self.difficulties[difficulty] += 1
        self.barred.add(question)
        self.barred.update(self.enemies.get(question, ()))
