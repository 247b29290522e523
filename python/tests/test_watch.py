"""A watched list in Python: one price for the horizon, one look for each week, and the same series as the command line's."""

from __future__ import annotations

import asyncio
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import needs

import winnow_dp as winnow

ITEMS = ["mail", "news", "chess", "maps"]
WEEKS = {"mail": "2026-01-05", "news": "2026-01-12", "maps": "2026-01-19"}
ASKED: dict[str, Any] = {"item": "area", "user": "user", "series": "areas", "k": 1, "epsilon": 1, "renewals": 2, "tolerance": 100}
ASKED |= {"candidates": ITEMS, "every": "week", "from_": "2026-01-05", "horizon": 52, "time": "day"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    warnings.simplefilter("ignore")


def visits() -> Any:
    rows = [(f"u{person}", area, day) for area, day in WEEKS.items() for person in range(3000)]
    return needs("polars").DataFrame(rows, schema=["user", "area", "day"], orient="row")


def test_a_list_is_renewed_when_it_is_wrong_at_one_price() -> None:
    session = winnow.Session("visits.ledger")
    rows = visits()
    looks = [session.watch(rows, **ASKED, period=day) for day in WEEKS.values()]
    assert [(look.names, look.is_renewed, look.renewed, look.is_frozen) for look in looks] == [
        (["mail"], False, 0, False),
        (["news"], True, 1, False),
        (["maps"], True, 2, True),
    ]
    assert looks[0].loss.epsilon <= 1 and [look.loss for look in looks[1:]] == [winnow.pure(0)] * 2
    again = session.watch(rows.head(0), **ASKED, period="2026-W03")
    assert again.is_stored and again.names == ["news"] and not looks[1].is_stored
    assert again.document == looks[1].document and "sealed" not in str(again.document)
    assert [look.names for look in session.looks("areas")] == [["mail"], ["news"], ["maps"]]
    assert session.releases() == [] and session.find("areas#1") is None
    assert session.verify() == []
    assert "It is frozen" in str(looks[2]) and "<td>maps</td>" in looks[2]._repr_html_()


def test_the_command_line_goes_on_with_the_same_series() -> None:
    from cli import winnow as command

    session = winnow.Session("visits.ledger")
    session.watch(visits(), **ASKED, period="2026-01-05", dataset="visits.csv")
    visits().write_csv("visits.csv")
    Path("areas.txt").write_text("\n".join(ITEMS))
    words = ["--series", "areas", "-k", "1", "--epsilon", "1", "--renewals", "2", "--tolerance", "100", "--domain", "areas.txt", "--every", "week"]
    words += ["--from", "2026-01-05", "--horizon", "52", "--item", "area", "--user", "user", "--time", "day", "--period", "2026-01-12"]
    theirs = command("watch", "visits.csv", *words, "--ledger", "visits.ledger", "--yes", "--json")
    assert theirs["answer"]["list"] == ["news"] and theirs["question"]["look"] == 2
    assert session.looks("areas")[1].document["answer"] == theirs["answer"]
    assert session.verify() == []


def test_what_cannot_be_asked_is_refused_before_anything_is_charged() -> None:
    session = winnow.Session("visits.ledger")
    session.set_budget(winnow.pure("1/2"))
    for options, code in [({"k": 4}, "usage"), ({"series": "a b"}, "usage"), ({}, "over-budget"), ({"seal_key": "short"}, "usage")]:
        with pytest.raises(winnow.WinnowError) as caught:
            session.watch(visits(), **ASKED | {"period": "2026-01-05"} | options)
        assert caught.value.code == code
    assert session.account().releases == 0  # type: ignore[union-attr]
    session.watch(visits(), **ASKED | {"period": "2026-01-05", "epsilon": "1/4", "seal_key": "a secret of at least 32 characters"})
    with pytest.raises(winnow.WinnowError, match="can't be opened with this key"):
        session.watch(visits(), **ASKED | {"period": "2026-01-12", "epsilon": "1/4"})


def test_two_at_once_make_one_look() -> None:
    async def both() -> list[winnow.Look]:
        async with winnow.AsyncSession("visits.ledger") as session:
            rows = visits()
            return list(await asyncio.gather(*(session.watch(rows, **ASKED, period="2026-01-05") for _ in range(2))))

    looks = asyncio.run(both())
    assert looks[0].document == looks[1].document
    assert sorted(look.is_stored for look in looks) == [False, True]
