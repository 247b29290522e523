"""Releases from the rows of a frame, recorded in a ledger: what ``winnow top`` does for files."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime
import math
import os
import secrets
import warnings
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from ._display import cell, neutral, picture, table
from ._engine import EngineStopped, Reference, call, engine, new
from ._errors import WinnowError, camel_case
from ._counting import Counted, Wanted
from ._frames import Rows, rows_of
from ._losses import Loss, read_loss
from ._text import text_of
from ._values import RationalLike, as_options

Neighbours = Literal["add-remove", "replace"]
Given = ParamSpec("Given")
Result = TypeVar("Result")


class NotForRelease(UserWarning):
    """A fact about the rows, for the eyes of their curator only: how many were skipped, how well a list matches."""


@dataclasses.dataclass(frozen=True)
class Item:
    """One line of an answer, as released."""

    item: str
    #: By how much it leads the next.
    gap: Fraction | None = None
    #: How many people have it, with noise: to the nearest whole number, as every output shows it.
    count: int | None = None
    #: The share of values below it, of a quantile.
    quantile: Fraction | None = None
    #: The count exactly as it was released: a fraction where counts share a part of their noise.
    exact_count: Fraction | None = None


def _items(answer: Mapping[str, Any]) -> list[Item]:
    return [
        Item(
            item=winner["item"],
            gap=_fraction(winner.get("gap")),
            count=_nearest(_fraction(winner.get("count"))),
            quantile=_fraction(winner.get("quantile")),
            exact_count=_fraction(winner.get("count")),
        )
        for winner in answer.get("winners", [])
    ]


def _frequencies(answer: Mapping[str, Any]) -> list[tuple[int, int]]:
    return [(each["users"], each["items"]) for each in answer.get("frequencies", [])]


def _answer(items: Sequence[Item], frequencies: Sequence[tuple[int, int]]) -> str:
    """As HTML; empty if nothing is named."""
    if frequencies:
        return table(["users", "items"], [list(each) for each in frequencies])
    shown = [name for name in ("item", "gap", "count", "quantile") if any(getattr(each, name) is not None for each in items)]
    rows = [[place, *(getattr(each, name) for name in shown)] for place, each in enumerate(items, 1)]
    return table(["", *shown], rows) if rows else ""


@dataclasses.dataclass(frozen=True)
class Group:
    """The answer in one group."""

    #: One text for each of its columns.
    name: tuple[str, ...]
    released: bool
    items: list[Item]
    frequencies: list[tuple[int, int]]

    @classmethod
    def _of(cls, sent: Mapping[str, Any]) -> Group:
        answer = sent["answer"]
        return cls(tuple(sent["name"]), bool(answer["released"]), _items(answer), _frequencies(answer))

    @property
    def names(self) -> list[str]:
        return [item.item for item in self.items]

    @property
    def _label(self) -> str:
        return " \u00b7 ".join(self.name)

    def __str__(self) -> str:
        return f"{self._label}: {', '.join(self.names) if self.released else 'nothing'}"

    def _repr_html_(self) -> str:
        return f"<p>{cell(self._label)}</p>{_answer(self.items, self.frequencies) or '<p>nothing can be released</p>'}"


@dataclasses.dataclass(frozen=True)
class Account:
    """What a data set has spent, and what is left of its budget."""

    dataset: str
    releases: int
    limit: Loss | None = None
    spent: Loss | None = None
    remaining: Loss | None = None
    #: How many more releases like the last fit; None without a budget.
    more: int | None = None

    @classmethod
    def _of(cls, sent: Mapping[str, Any]) -> Account:
        losses = {name: read_loss(sent[name]) for name in ("limit", "spent", "remaining") if sent.get(name)}
        more = sent.get("more")
        return cls(sent["dataset"], sent["releases"], **losses, more=more if isinstance(more, int) else None)

    def __str__(self) -> str:
        if self.limit is None or self.remaining is None:
            spent = "nothing" if self.spent is None or self.releases == 0 else _in_words(self.spent)
            return f"{spent} spent in {self.releases} releases; no budget"
        like = "" if self.more is None else f", {self.more} more releases like this"
        return f"{_in_words(self.remaining)} of {_in_words(self.limit)} left{like}"

    def _repr_html_(self) -> str:
        return table(["", ""], [["data set", self.dataset], ["budget", str(self)]])


def _in_words(loss: Loss) -> str:
    return str(call("lossInWords", [loss]))


@dataclasses.dataclass(frozen=True, repr=False)
class Release:
    """One answer as it is recorded. Everything in it is public."""

    #: The whole document, as ``winnow top --json`` prints it.
    document: Mapping[str, Any]
    #: Whether it was there already: then this call was charged nothing.
    is_stored: bool
    account: Account | None

    @property
    def id(self) -> str:
        return str(self.document["id"])

    @property
    def released(self) -> bool:
        """Whether any item is named; "nothing can be released" is an answer and costs the same."""
        return bool(self.document["answer"]["released"])

    @property
    def items(self) -> list[Item]:
        return _items(self.document["answer"])

    @property
    def groups(self) -> list[Group]:
        """The answers of a question in groups."""
        return [Group._of(each) for each in self.document["answer"].get("groups", [])]

    @property
    def names(self) -> list[str]:
        return [item.item for item in self.items]

    @property
    def frequencies(self) -> list[tuple[int, int]]:
        """For a list of frequencies: how many people, and how many items have as many."""
        return _frequencies(self.document["answer"])

    @property
    def loss(self) -> Loss:
        """What the release promises on its own."""
        return _loss_of(self.document)

    def to_json(self) -> str:
        """As ``winnow top --json`` prints it: ``winnow verify`` takes it."""
        return str(call("releaseJson", [self.document]))

    def to_csv(self) -> str:
        return str(call("releaseCsv", [self.document]))

    def statement(self) -> str:
        """For the privacy officer."""
        return str(call("releaseStatement", [self.document]))

    def svg(self, dark: bool | None = None) -> str:
        """The picture. Every name in it is neutralised."""
        return str(call("releaseSvg", [self.document, dark]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the document; a file that is there already is left alone."""
        with open(path, "x", encoding="utf8") as file:
            file.write(self.to_json())

    def __repr__(self) -> str:
        return f"Release(id={self.id!r}, answer={str(self)!r})"

    def __str__(self) -> str:
        named = neutral(", ".join(self.names) or "; ".join(map(str, self.groups))) if self.released else "nothing can be released"
        return f"{named} ({self.document['loss']['readable']})"

    def _repr_html_(self) -> str:
        answer = _answer(self.items, self.frequencies) or f"<p>{cell(str(self))}</p>"
        if self.groups:
            answer = "".join(map(Group._repr_html_, self.groups))
        paid = "stored answer, charged nothing" if self.is_stored else self.document["loss"]["readable"]
        left = "" if self.account is None else f"; {self.account}"
        return f"{answer}{picture(self.svg(dark=False), str(self))}<p>Cost: {cell(paid)}{cell(left)}</p>"


@dataclasses.dataclass(frozen=True, repr=False)
class Look:
    """One look at a watched list, as it is recorded. Everything in it is public."""

    #: The whole document, as ``winnow watch --json`` prints it.
    document: Mapping[str, Any]
    #: Whether the period was looked at already: then nothing was counted.
    is_stored: bool
    account: Account | None

    @property
    def id(self) -> str:
        return str(self.document["id"])

    @property
    def names(self) -> list[str]:
        """The list, which has no order."""
        return list(self.document["answer"]["list"])

    @property
    def is_renewed(self) -> bool:
        return bool(self.document["answer"]["isRenewed"])

    @property
    def renewed(self) -> int:
        """How often it was renewed so far."""
        return int(self.document["answer"]["renewed"])

    @property
    def is_frozen(self) -> bool:
        """Whether it was renewed as often as it may be: it stays as it is, right or wrong."""
        return bool(self.document["answer"]["isFrozen"])

    @property
    def loss(self) -> Loss:
        """That of the whole horizon for the first look, and 0 for the others."""
        return _loss_of(self.document)

    def __str__(self) -> str:
        said = call("lookInWords", [self.document])
        return f"{neutral(', '.join(self.names))} ({self.document['question']['about']}: {said})"

    def __repr__(self) -> str:
        return f"Look(id={self.id!r}, list={str(self)!r})"

    def _repr_html_(self) -> str:
        return table([""], [[name] for name in self.names]) + f"<p>{cell(str(self))}</p>"


def _loss_of(document: Mapping[str, Any]) -> Loss:
    parts = {name: part for name, part in document["loss"].items() if name != "readable"}
    measure = parts.pop("measure")
    return Loss(measure, **{name: _extended(part) for name, part in parts.items()})


def _nearest(count: Fraction | None) -> int | None:
    return None if count is None else math.floor(count + Fraction(1, 2))


def _fraction(text: Any) -> Fraction | None:
    return None if text is None else Fraction(text)


def _extended(text: str) -> Any:
    return float("inf") if text == "Infinity" else Fraction(text)


@dataclasses.dataclass(frozen=True)
class Price:
    """What a release would cost, from public values alone."""

    question: Mapping[str, Any]
    loss: Loss
    readable: str
    #: What the release will need ``yes=True`` for.
    concerns: list[str]
    account: Account | None


class Session:
    """Releases that are recorded in a ledger, which is a file as ``winnow`` writes it.

    ``rows`` are a frame of pandas or Polars (lazy too), an Arrow table or data set, a DuckDB relation or a Spark frame. Each row is
    one person and one item; a row counts a person once for an item.
    """

    def __init__(self, ledger: str | os.PathLike[str] = "winnow.ledger") -> None:
        self._path = os.path.abspath(os.fspath(ledger))
        self._reference: Reference | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the ledger; the next use opens it again."""
        if self._reference is not None and self._reference.process is engine._process:
            self._ask("close", [])
        self._reference = None

    def top(
        self,
        rows: Any,
        *,
        item: str | Sequence[str],
        user: str,
        k: int,
        epsilon: RationalLike | None = None,
        rho: RationalLike | None = None,
        delta: RationalLike | None = None,
        candidates: Iterable[str] | None = None,
        domain_size: int | None = None,
        counts: bool | None = None,
        resolution: RationalLike | None = None,
        set: bool | None = None,
        outsider_share: RationalLike | None = None,
        max_items_per_user: int | None = None,
        neighbours: Neighbours | None = None,
        mechanism: str | None = None,
        guess: str | None = None,
        map: Mapping[Any, Any] | None = None,
        where: str | None = None,
        types: Mapping[str, str] | None = None,
        by: str | Sequence[str] | None = None,
        groups: Iterable[Any] | None = None,
        max_groups_per_user: int | None = None,
        group_budgets: Mapping[Any, RationalLike] | None = None,
        time: str | None = None,
        period: str | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        release_id: str | None = None,
        reserve: bool = False,
        yes: bool = False,
    ) -> Release:
        """The k items with the most people. Pass a public list of ``candidates``, or a ``delta``.

        A ``guess`` such as ``"people=4000,items-per-person=13"`` is public and decides between mechanisms; the rows never do.
        ``set=True`` names the winners without their order, at a price that doesn't grow with ``k``.

        As in every question, ``item`` may be computed (``"lower(trim(area))"``, ``"date_trunc('month', day)"``), or be several columns, in each
        of which a row has an item; a public ``map`` replaces items by others. ``where`` is a condition on rows (``types`` says which of its
        columns are dates or decimals), ``by`` asks for one answer for each group, and ``time`` with ``period`` says which period of a budget
        with periods it is about.
        """
        asked: dict[str, Any] = {"kind": "top", "item": _typed(item), "user": user, "map": _pairs(map), "k": k, "epsilon": epsilon, "rho": rho, "delta": delta}
        asked |= {"domainSize": domain_size, "counts": counts, "resolution": resolution, "maxItemsPerUser": max_items_per_user}
        asked |= {"neighbours": neighbours, "mechanism": mechanism, "unit": unit, "candidates": _names(candidates)}
        asked |= {"guess": guess, "set": set, "outsiderShare": outsider_share}
        asked |= _some(where, types, by, groups, max_groups_per_user, group_budgets, time, period)
        return self._release(rows, asked, dataset, new_dataset, release_id, reserve, yes)

    def adaptive(
        self,
        rows: Any,
        *,
        item: str | Sequence[str],
        user: str,
        max_k: int,
        epsilon: RationalLike | None = None,
        rho: RationalLike | None = None,
        delta: RationalLike | None = None,
        candidates: Iterable[str] | None = None,
        domain_size: int | None = None,
        neighbours: Neighbours | None = None,
        mechanism: str | None = None,
        map: Mapping[Any, Any] | None = None,
        where: str | None = None,
        types: Mapping[str, str] | None = None,
        by: str | Sequence[str] | None = None,
        groups: Iterable[Any] | None = None,
        max_groups_per_user: int | None = None,
        group_budgets: Mapping[Any, RationalLike] | None = None,
        time: str | None = None,
        period: str | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        release_id: str | None = None,
        reserve: bool = False,
        yes: bool = False,
    ) -> Release:
        """The items that stand out, as many as the rows themselves suggest, at most ``max_k``."""
        asked: dict[str, Any] = {"kind": "adaptive", "item": _typed(item), "user": user, "map": _pairs(map), "k": max_k, "epsilon": epsilon, "rho": rho, "delta": delta}
        asked |= {"domainSize": domain_size, "candidates": _names(candidates)}
        asked |= {"neighbours": neighbours, "mechanism": mechanism, "unit": unit}
        asked |= _some(where, types, by, groups, max_groups_per_user, group_budgets, time, period)
        return self._release(rows, asked, dataset, new_dataset, release_id, reserve, yes)

    def names(
        self,
        rows: Any,
        *,
        item: str | Sequence[str],
        user: str,
        max_items_per_user: int,
        epsilon: RationalLike | None = None,
        rho: RationalLike | None = None,
        delta: RationalLike,
        counts: bool | None = None,
        neighbours: Neighbours | None = None,
        mechanism: str | None = None,
        map: Mapping[Any, Any] | None = None,
        where: str | None = None,
        types: Mapping[str, str] | None = None,
        by: str | Sequence[str] | None = None,
        groups: Iterable[Any] | None = None,
        max_groups_per_user: int | None = None,
        group_budgets: Mapping[Any, RationalLike] | None = None,
        time: str | None = None,
        period: str | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        release_id: str | None = None,
        reserve: bool = False,
        yes: bool = False,
    ) -> Release:
        """Every item that enough people have."""
        asked: dict[str, Any] = {"kind": "names", "item": _typed(item), "user": user, "map": _pairs(map), "epsilon": epsilon, "rho": rho, "delta": delta}
        asked |= {"counts": counts, "maxItemsPerUser": max_items_per_user}
        asked |= {"neighbours": neighbours, "mechanism": mechanism, "unit": unit}
        asked |= _some(where, types, by, groups, max_groups_per_user, group_budgets, time, period)
        return self._release(rows, asked, dataset, new_dataset, release_id, reserve, yes)

    def quantile(
        self,
        rows: Any,
        *,
        column: str,
        user: str,
        quantiles: Sequence[RationalLike],
        range: tuple[RationalLike, RationalLike],
        step: RationalLike | None = None,
        epsilon: RationalLike | None = None,
        rho: RationalLike | None = None,
        delta: RationalLike | None = None,
        max_values_per_user: int | None = None,
        at_most: int | None = None,
        neighbours: Neighbours | None = None,
        mechanism: str | None = None,
        where: str | None = None,
        types: Mapping[str, str] | None = None,
        by: str | Sequence[str] | None = None,
        groups: Iterable[Any] | None = None,
        max_groups_per_user: int | None = None,
        group_budgets: Mapping[Any, RationalLike] | None = None,
        time: str | None = None,
        period: str | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        release_id: str | None = None,
        reserve: bool = False,
        yes: bool = False,
    ) -> Release:
        """Quantiles of a column of numbers, within a public ``range``. A ``delta`` is only for groups without a list."""
        asked: dict[str, Any] = {"kind": "quantile", "item": column, "user": user, "epsilon": epsilon, "rho": rho, "delta": delta}
        asked |= {"quantiles": list(quantiles), "range": [str(_exact(end)) for end in range]}
        asked |= {"step": None if step is None else str(_exact(step)), "atMost": at_most, "maxItemsPerUser": max_values_per_user}
        asked |= {"neighbours": neighbours, "mechanism": mechanism, "unit": unit}
        asked |= _some(where, types, by, groups, max_groups_per_user, group_budgets, time, period)
        return self._release(rows, asked, dataset, new_dataset, release_id, reserve, yes)

    def frequencies(
        self,
        rows: Any,
        *,
        item: str | Sequence[str],
        user: str,
        epsilon: RationalLike,
        delta: RationalLike | None = None,
        max_items_per_user: int | None = None,
        neighbours: Neighbours | None = None,
        map: Mapping[Any, Any] | None = None,
        where: str | None = None,
        types: Mapping[str, str] | None = None,
        by: str | Sequence[str] | None = None,
        groups: Iterable[Any] | None = None,
        max_groups_per_user: int | None = None,
        group_budgets: Mapping[Any, RationalLike] | None = None,
        time: str | None = None,
        period: str | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        release_id: str | None = None,
        reserve: bool = False,
        yes: bool = False,
    ) -> Release:
        """How many items have how many people, without names. A ``delta`` is only for groups without a list."""
        asked: dict[str, Any] = {"kind": "frequencies", "item": _typed(item), "user": user, "map": _pairs(map), "epsilon": epsilon, "delta": delta}
        asked |= {"maxItemsPerUser": max_items_per_user, "neighbours": neighbours, "unit": unit}
        asked |= _some(where, types, by, groups, max_groups_per_user, group_budgets, time, period)
        return self._release(rows, asked, dataset, new_dataset, release_id, reserve, yes)

    def watch(
        self,
        rows: Any,
        *,
        item: str,
        user: str,
        series: str,
        k: int,
        epsilon: RationalLike,
        renewals: int,
        candidates: Iterable[str],
        every: Literal["day", "week", "month"],
        from_: str | datetime.date,
        horizon: int,
        time: str,
        period: str,
        tolerance: RationalLike = 0,
        where: str | None = None,
        types: Mapping[str, str] | None = None,
        seal_key: str | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        yes: bool = False,
    ) -> Look:
        """Looks at a published list once in a ``period`` and renews it only when it is wrong by more than about ``tolerance`` people.

        The first look pays ``epsilon`` for the whole ``horizon``, in which the list may be renewed so often; the others cost nothing. Asking
        again about a period gives what was published then. The state between looks is sealed in the ledger, by a secret of the
        ledger or by ``seal_key``.
        """
        found = rows_of(rows)
        some = _some(where, types, None, None, None, None, time, period)
        found.check(item, user, *_twice(lambda: _columns_beside(some)))
        asked = {"item": item, "user": user, "series": series, "k": k, "epsilon": str(_exact(epsilon)), "renewals": renewals, "every": every}
        asked |= {"candidates": _names(candidates), "from": str(from_), "horizon": horizon, "tolerance": str(_exact(tolerance))}
        asked |= {name: some[name] for name in ("where", "types", "time", "period")}
        asked |= {"sealKey": seal_key, "unit": unit}
        made = self._counted("watch", found, [item, user], asked, {"dataset": dataset, "newDataset": new_dataset, "yes": yes})
        return Look(made["look"], made["isStored"], Account._of(made["left"]))

    def looks(self, series: str) -> list[Look]:
        """All looks at a watched list, the first first."""
        return [Look(each, True, None) for each in self._ask("looks", [series])]

    def _release(
        self,
        rows: Any,
        asked: Mapping[str, Any],
        dataset: str | None,
        new_dataset: bool,
        release_id: str | None,
        reserve: bool,
        yes: bool,
    ) -> Release:
        found = rows_of(rows)
        items, others = _twice(lambda: (call("columnsOfItem", [asked["kind"], asked["item"]]), _columns_beside(asked)))
        columns = [*items, asked["user"]]
        found.check(*columns, *others)
        run = {
            "dataset": dataset,
            "newDataset": new_dataset,
            # Known here before anything happens, so that a call that lost its engine can ask for the same release again.
            "releaseId": release_id or secrets.token_hex(16),
            "reserve": reserve,
            "yes": yes,
        }
        made = self._counted("release", found, columns, asked, run)
        return Release(made["release"], made["isStored"], Account._of(made["left"]))

    def _counted(self, method: str, found: Rows, columns: Sequence[str], asked: Mapping[str, Any], run: Mapping[str, Any]) -> Any:
        """Asks the engine for something that it records, and counts the rows when it wants them."""
        told: list[str] = []
        noticed: list[str] = []

        def count(wanted: Mapping[str, Any]) -> Counted:
            return found.count(columns[0], columns[-1], Wanted.of(wanted))

        # One column for two roles is refused by the engine.
        known = {"dialect": {"format": found.format}, "fingerprint": found.fingerprint(*dict.fromkeys(columns))}
        functions: dict[str, Any] = {"count": count, "tell": told.append, "notice": noticed.append}
        given = [as_options(asked), {**as_options({**run, **known}), **functions}]
        try:
            made = self._recorded(method, given)
        except BaseException:
            _warn(told, noticed)
            raise
        with contextlib.suppress(Warning):  # it is charged: a filter that makes errors of warnings must not lose it
            _warn(told, noticed)
        return made

    def _recorded(self, method: str, given: Sequence[Any]) -> Any:
        # If the charge was recorded before the engine stopped, asking again finds its answer; otherwise nothing was charged, and no
        # one has seen what was drawn. A price that was set aside first stays, and its id is refused.
        return _twice(lambda: self._ask(method, given))

    def price(self, kind: str, /, *, item: str | Sequence[str], user: str, dataset: str | None = None, **options: Any) -> Price:
        """What a release would cost and whether it fits the budget. No row is read; nothing is recorded."""
        names = {"max_k": "k", "max_values_per_user": "maxItemsPerUser"}
        some = _some(**{name: options.pop(name, None) for name in _SOME})
        asked = {names.get(name) or camel_case(name): part for name, part in options.items()} | some
        if "map" in asked:
            asked["map"] = _pairs(asked["map"])
        if "candidates" in asked:
            asked["candidates"] = _names(asked["candidates"])
        if "range" in asked:
            asked["range"] = [str(_exact(end)) for end in asked["range"]]
        sent = self._ask("price", [as_options({"kind": kind, "item": _typed(item), "user": user, **asked}), dataset])
        account = None if sent.get("left") is None else Account._of(sent["left"])
        return Price(sent["question"], read_loss(sent["loss"]), sent["readable"], sent["concerns"], account)

    def set_budget(
        self,
        limit: Loss,
        *,
        dataset: str | None = None,
        replace: bool = False,
        yes: bool = False,
        period: Literal["day", "week", "month"] | None = None,
        horizon: int | None = None,
        from_: str | datetime.date | None = None,
        promise: Literal["person", "person-period"] | None = None,
        max_periods_per_user: int | None = None,
    ) -> bool:
        """Gives a data set its budget, once; returns whether it is new. Charges so far count.

        With a ``period`` the budget is for a ``horizon`` of that many periods, the first of which has the day ``from_`` (default: today).
        The ``promise`` is for all rows of a person in the horizon, or for those of one period.
        """
        options = as_options({"dataset": dataset, "replace": replace, "yes": yes})
        if any(part is not None for part in (period, horizon, from_, promise, max_periods_per_user)):
            if period is None or horizon is None or promise is None:
                raise WinnowError("usage", "A budget with periods needs period, horizon and promise.")
            made = {"unit": promise, "period": period, "horizon": horizon, "maxPeriodsPerUser": max_periods_per_user}
            options["promise"] = as_options({**made, "from": None if from_ is None else str(from_)})
        return bool(self._ask("setBudget", [limit.to_json(), options]))

    def account(self, dataset: str | None = None) -> Account | None:
        """What a data set has spent and has left; None if there is no ledger yet."""
        sent = self._ask("left", [dataset])
        return None if sent is None else Account._of(sent)

    def datasets(self) -> list[str]:
        """The names of all accounts."""
        return list(self._ask("datasets", []))

    def find(self, release_id: str) -> Release | None:
        """The stored release with this id."""
        sent = self._ask("find", [release_id])
        return None if sent is None else Release(sent, True, None)

    def releases(self) -> list[Release]:
        """All releases of the ledger, oldest first."""
        return [Release(each, True, None) for each in self._ask("releases", [])]

    def verify(self, release: Release | Mapping[str, Any] | None = None) -> list[str]:
        """What is wrong with the ledger, or with a release that should be in it; an empty list if nothing is."""
        document = release.document if isinstance(release, Release) else release
        return [finding["sentence"] for finding in self._ask("verify", [document])["findings"]]

    def _ask(self, name: str, given: Sequence[Any]) -> Any:
        with engine._running() as process:
            if self._reference is None or self._reference.process is not process:
                self._reference = new("Session", [self._path])
            return engine.ask({"op": "method", "on": self._reference.number, "name": name, "given": given})


def _twice(ask: Callable[[], Result]) -> Result:
    """Once more if the engine stopped: for what can be asked again."""
    try:
        return ask()
    except EngineStopped:
        return ask()


def _warn(told: Iterable[str], noticed: Iterable[str]) -> None:
    for words in told:
        warnings.warn(words, NotForRelease, stacklevel=5)
    for words in noticed:
        warnings.warn(words, UserWarning, stacklevel=5)


def _names(candidates: Iterable[Any] | None, field: str = "candidates") -> list[str] | None:
    if candidates is None:
        return None
    if isinstance(candidates, str):
        raise WinnowError("usage", f"{field} must be a list of names; got a text.", field=field)
    names = [text_of(each) for each in candidates]
    if not all(names):
        raise WinnowError("usage", f"{field} must be names: texts or numbers throughout.", field=field)
    return [name for name in names if name is not None]


def _typed(item: str | Sequence[str]) -> str | list[str]:
    if isinstance(item, str):
        return item
    columns = list(item)
    if not columns or not all(isinstance(each, str) for each in columns):
        raise WinnowError("usage", "item must be a column, or a list of columns.", field="item")
    return columns


def _pairs(renamed: Mapping[Any, Any] | None) -> list[list[str]] | None:
    """A public map of items, as texts."""
    if renamed is None:
        return None
    pairs = [[text_of(each) for each in pair] for pair in renamed.items()]
    if any(each is None for pair in pairs for each in pair):
        raise WinnowError("usage", "map must be names for names: texts or numbers throughout.", field="map")
    return pairs  # type: ignore[return-value]


_SOME = ("where", "types", "by", "groups", "max_groups_per_user", "group_budgets", "time", "period")


def _some(
    where: str | None,
    types: Mapping[str, str] | None,
    by: str | Sequence[str] | None,
    groups: Iterable[Any] | None,
    max_groups_per_user: int | None,
    group_budgets: Mapping[Any, RationalLike] | None,
    time: str | None,
    period: str | None,
) -> dict[str, Any]:
    """Which rows a question is about, and in which groups, as the engine takes it."""
    budgets = None
    if group_budgets is not None:
        budgets = [{"group": _group(name), "part": _exact(part)} for name, part in group_budgets.items()]
    if types is not None and where is None:
        raise WinnowError("usage", "types needs where, because only its columns have types.", field="types")
    return {
        **{"where": where, "types": None if types is None else [list(pair) for pair in types.items()]},
        **{"by": [by] if isinstance(by, str) else by, "groups": None if groups is None else list(map(_group, groups))},
        **{"maxGroupsPerUser": max_groups_per_user, "groupBudgets": budgets, "time": time, "period": period},
    }


def _group(name: Any) -> list[str]:
    """A name, or one for each of two columns."""
    return _names(name if isinstance(name, (tuple, list)) else [name], "groups") or []


def _columns_beside(asked: Mapping[str, Any]) -> list[str]:
    """The columns of groups, of the condition and of days."""
    columns = list(asked["by"] or [])
    if asked["where"] is not None:
        columns += call("columnsOfWhere", [asked["where"], asked["types"] or []])
    return columns + ([] if asked["time"] is None else [asked["time"]])


def _exact(value: RationalLike) -> Any:
    return repr(value) if isinstance(value, float) else value


def _later(method: Callable[Concatenate[Session, Given], Result]) -> Callable[Concatenate[AsyncSession, Given], Awaitable[Result]]:
    async def wrapper(self: AsyncSession, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return await asyncio.to_thread(method, self._session, *args, **kwargs)

    wrapper.__doc__ = method.__doc__
    wrapper.__name__ = method.__name__
    return wrapper


class AsyncSession:
    """A session under ``asyncio``: the same methods, each in a thread."""

    def __init__(self, ledger: str | os.PathLike[str] = "winnow.ledger") -> None:
        self._session = Session(ledger)

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    top = _later(Session.top)
    adaptive = _later(Session.adaptive)
    names = _later(Session.names)
    quantile = _later(Session.quantile)
    frequencies = _later(Session.frequencies)
    price = _later(Session.price)
    set_budget = _later(Session.set_budget)
    account = _later(Session.account)
    datasets = _later(Session.datasets)
    find = _later(Session.find)
    releases = _later(Session.releases)
    watch = _later(Session.watch)
    looks = _later(Session.looks)
    verify = _later(Session.verify)
    close = _later(Session.close)
