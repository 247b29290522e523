"""Releases from the rows of a frame, recorded in a ledger: what ``winnow top`` does for files."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import math
import os
import secrets
import warnings
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from ._display import cell, neutral, picture, table
from ._engine import EngineStopped, Reference, call, engine, new
from ._errors import WinnowError
from ._frames import Counted, Wanted, rows_of
from ._losses import Loss, read_loss
from ._values import RationalLike, as_options

Neighbours = Literal["add-remove", "replace"]


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
        return [
            Item(
                item=winner["item"],
                gap=_fraction(winner.get("gap")),
                count=_nearest(_fraction(winner.get("count"))),
                quantile=_fraction(winner.get("quantile")),
                exact_count=_fraction(winner.get("count")),
            )
            for winner in self.document["answer"].get("winners", [])
        ]

    @property
    def names(self) -> list[str]:
        return [item.item for item in self.items]

    @property
    def frequencies(self) -> list[tuple[int, int]]:
        """For a list of frequencies: how many people, and how many items have as many."""
        return [(each["users"], each["items"]) for each in self.document["answer"].get("frequencies", [])]

    @property
    def loss(self) -> Loss:
        """What the release promises on its own."""
        parts = {name: part for name, part in self.document["loss"].items() if name != "readable"}
        measure = parts.pop("measure")
        return Loss(measure, **{name: _extended(part) for name, part in parts.items()})

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
        named = neutral(", ".join(self.names)) if self.released else "nothing can be released"
        return f"{named} ({self.document['loss']['readable']})"

    def _repr_html_(self) -> str:
        items = self.items
        shown = [name for name in ("item", "gap", "count", "quantile") if any(getattr(each, name) is not None for each in items)]
        rows = [[place, *(getattr(each, name) for name in shown)] for place, each in enumerate(items, 1)]
        answer = table(["", *shown], rows) if items else f"<p>{cell(str(self))}</p>"
        if self.frequencies:
            answer = table(["users", "items"], [list(each) for each in self.frequencies])
        paid = "stored answer, charged nothing" if self.is_stored else self.document["loss"]["readable"]
        left = "" if self.account is None else f"; {self.account}"
        return f"{answer}{picture(self.svg(dark=False), str(self))}<p>Cost: {cell(paid)}{cell(left)}</p>"


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
        item: str,
        user: str,
        k: int,
        epsilon: RationalLike | None = None,
        rho: RationalLike | None = None,
        delta: RationalLike | None = None,
        candidates: Iterable[str] | None = None,
        domain_size: int | None = None,
        counts: bool | None = None,
        resolution: RationalLike | None = None,
        max_items_per_user: int | None = None,
        neighbours: Neighbours | None = None,
        mechanism: str | None = None,
        guess: str | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        release_id: str | None = None,
        reserve: bool = False,
        yes: bool = False,
    ) -> Release:
        """The k items with the most people. Pass a public list of ``candidates``, or a ``delta``.

        A ``guess`` such as ``"people=4000,items-per-person=13"`` is public and decides between mechanisms; the rows never do.
        """
        asked: dict[str, Any] = {"kind": "top", "item": item, "user": user, "k": k, "epsilon": epsilon, "rho": rho, "delta": delta}
        asked |= {"domainSize": domain_size, "counts": counts, "resolution": resolution, "maxItemsPerUser": max_items_per_user}
        asked |= {"neighbours": neighbours, "mechanism": mechanism, "unit": unit, "candidates": _names(candidates)}
        asked |= {"guess": guess}
        return self._release(rows, asked, dataset, new_dataset, release_id, reserve, yes)

    def adaptive(
        self,
        rows: Any,
        *,
        item: str,
        user: str,
        max_k: int,
        epsilon: RationalLike | None = None,
        rho: RationalLike | None = None,
        delta: RationalLike | None = None,
        candidates: Iterable[str] | None = None,
        domain_size: int | None = None,
        neighbours: Neighbours | None = None,
        mechanism: str | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        release_id: str | None = None,
        reserve: bool = False,
        yes: bool = False,
    ) -> Release:
        """The items that stand out, as many as the rows themselves suggest, at most ``max_k``."""
        asked: dict[str, Any] = {"kind": "adaptive", "item": item, "user": user, "k": max_k, "epsilon": epsilon, "rho": rho, "delta": delta}
        asked |= {"domainSize": domain_size, "candidates": _names(candidates)}
        asked |= {"neighbours": neighbours, "mechanism": mechanism, "unit": unit}
        return self._release(rows, asked, dataset, new_dataset, release_id, reserve, yes)

    def names(
        self,
        rows: Any,
        *,
        item: str,
        user: str,
        max_items_per_user: int,
        epsilon: RationalLike | None = None,
        rho: RationalLike | None = None,
        delta: RationalLike,
        counts: bool | None = None,
        neighbours: Neighbours | None = None,
        mechanism: str | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        release_id: str | None = None,
        reserve: bool = False,
        yes: bool = False,
    ) -> Release:
        """Every item that enough people have."""
        asked: dict[str, Any] = {"kind": "names", "item": item, "user": user, "epsilon": epsilon, "rho": rho, "delta": delta}
        asked |= {"counts": counts, "maxItemsPerUser": max_items_per_user}
        asked |= {"neighbours": neighbours, "mechanism": mechanism, "unit": unit}
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
        max_values_per_user: int | None = None,
        at_most: int | None = None,
        neighbours: Neighbours | None = None,
        mechanism: str | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        release_id: str | None = None,
        reserve: bool = False,
        yes: bool = False,
    ) -> Release:
        """Quantiles of a column of numbers, within a public ``range``."""
        asked: dict[str, Any] = {"kind": "quantile", "item": column, "user": user, "epsilon": epsilon, "rho": rho}
        asked |= {"quantiles": list(quantiles), "range": [str(_exact(end)) for end in range]}
        asked |= {"step": None if step is None else str(_exact(step)), "atMost": at_most, "maxItemsPerUser": max_values_per_user}
        asked |= {"neighbours": neighbours, "mechanism": mechanism, "unit": unit}
        return self._release(rows, asked, dataset, new_dataset, release_id, reserve, yes)

    def frequencies(
        self,
        rows: Any,
        *,
        item: str,
        user: str,
        epsilon: RationalLike,
        max_items_per_user: int | None = None,
        neighbours: Neighbours | None = None,
        unit: str | None = None,
        dataset: str | None = None,
        new_dataset: bool = False,
        release_id: str | None = None,
        reserve: bool = False,
        yes: bool = False,
    ) -> Release:
        """How many items have how many people, without names."""
        asked: dict[str, Any] = {"kind": "frequencies", "item": item, "user": user, "epsilon": epsilon}
        asked |= {"maxItemsPerUser": max_items_per_user, "neighbours": neighbours, "unit": unit}
        return self._release(rows, asked, dataset, new_dataset, release_id, reserve, yes)

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
        item, user = asked["item"], asked["user"]
        found.check(item, user)
        run = {
            "dataset": dataset,
            "newDataset": new_dataset,
            # Known here before anything happens, so that a call that lost its engine can ask for the same release again.
            "releaseId": release_id or secrets.token_hex(16),
            "reserve": reserve,
            "yes": yes,
            "dialect": {"format": found.format},
            "fingerprint": found.fingerprint(item, user),
        }
        told: list[str] = []
        noticed: list[str] = []

        def count(wanted: Mapping[str, Any]) -> Counted:
            return found.count(item, user, Wanted.of(wanted))

        functions: dict[str, Any] = {
            "count": count,
            "tell": told.append,
            "notice": noticed.append,
        }
        given = [as_options(asked), {**as_options(run), **functions}]
        try:
            made = self._recorded(given)
        except BaseException:
            _warn(told, noticed)
            raise
        release = Release(made["release"], made["isStored"], Account._of(made["left"]))
        with contextlib.suppress(Warning):  # it is charged: a filter that makes errors of warnings must not lose it
            _warn(told, noticed)
        return release

    def _recorded(self, given: Sequence[Any]) -> Any:
        try:
            return self._ask("release", given)
        except EngineStopped:
            # If the charge was recorded before the engine stopped, this finds its answer; otherwise nothing was charged, and no
            # one has seen what was drawn. A price that was set aside first stays, and its id is refused.
            return self._ask("release", given)

    def price(self, kind: str, /, *, item: str, user: str, dataset: str | None = None, **options: Any) -> Price:
        """What a release would cost and whether it fits the budget. No row is read; nothing is recorded."""
        names = {"max_k": "k", "max_values_per_user": "maxItemsPerUser"}
        from ._errors import camel_case

        asked = {names.get(name) or camel_case(name): part for name, part in options.items()}
        if "candidates" in asked:
            asked["candidates"] = _names(asked["candidates"])
        if "range" in asked:
            asked["range"] = [str(_exact(end)) for end in asked["range"]]
        sent = self._ask("price", [as_options({"kind": kind, "item": item, "user": user, **asked}), dataset])
        account = None if sent.get("left") is None else Account._of(sent["left"])
        return Price(sent["question"], read_loss(sent["loss"]), sent["readable"], sent["concerns"], account)

    def set_budget(
        self,
        limit: Loss,
        *,
        dataset: str | None = None,
        replace: bool = False,
        yes: bool = False,
    ) -> bool:
        """Gives a data set its budget, once; returns whether it is new. Charges so far count."""
        options = as_options({"dataset": dataset, "replace": replace, "yes": yes})
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


def _warn(told: Iterable[str], noticed: Iterable[str]) -> None:
    for words in told:
        warnings.warn(words, NotForRelease, stacklevel=4)
    for words in noticed:
        warnings.warn(words, UserWarning, stacklevel=4)


def _names(candidates: Iterable[Any] | None) -> list[str] | None:
    if candidates is None:
        return None
    if isinstance(candidates, str):
        raise WinnowError("usage", "candidates must be a list of names; got a text.", field="candidates")
    from ._text import text_of

    names = [text_of(each) for each in candidates]
    if None in names:
        raise WinnowError("usage", "candidates must be names: texts or numbers throughout.", field="candidates")
    return [name for name in names if name is not None]


def _exact(value: RationalLike) -> Any:
    return repr(value) if isinstance(value, float) else value


Own = TypeVar("Own", bound="AsyncSession")
Given = ParamSpec("Given")
Result = TypeVar("Result")


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
    verify = _later(Session.verify)
    close = _later(Session.close)
