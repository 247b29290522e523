"""Releases from frames: the guards, the ledger and the documents of the command line, and nothing answered without a charge."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, needs

import winnow_dp as winnow
from winnow_dp._engine import engine

CANDIDATES = ["Alster", "Bille", "Elbe", "Wandse", "Oste"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    warnings.simplefilter("ignore")


def visits(people: int = 60) -> Any:
    pandas = needs("pandas")
    rows = [(f"u{person}", CANDIDATES[place]) for person in range(people) for place in range(4) if person % (place + 1) == 0]
    return pandas.DataFrame(rows, columns=["user", "area"])


@pytest.fixture
def session() -> winnow.Session:
    return winnow.Session("visits.ledger")


def top(session: winnow.Session, rows: Any = None, **options: Any) -> winnow.Release:
    asked: dict[str, Any] = {"item": "area", "user": "user", "k": 2, "epsilon": 1, "candidates": CANDIDATES}
    return session.top(visits() if rows is None else rows, **asked | options)


def refused(code: str, session: winnow.Session, rows: Any = None, **options: Any) -> winnow.WinnowError:
    with pytest.raises(winnow.WinnowError) as caught:
        top(session, rows, **options)
    assert caught.value.code == code, caught.value
    return caught.value


def test_a_release_is_recorded_with_its_price(session: winnow.Session) -> None:
    release = top(session)
    assert len(release.names) == 2 and set(release.names) <= set(CANDIDATES)
    assert release.loss == winnow.pure(1)
    assert not release.is_stored
    account = session.account()
    assert account is not None and account.spent == winnow.pure(1) and account.releases == 1
    assert [each.id for each in session.releases()] == [release.id]
    assert session.verify() == [] and session.verify(release) == []
    assert session.datasets() == ["visits"]


def test_everything_of_the_document_is_public(session: winnow.Session) -> None:
    document = top(session).document
    assert document["source"] == {"item": "area", "user": "user", "dialect": {"format": "pandas data frame"}}
    assert document["software"]["name"] == "winnow-dp-python"
    assert "u1" not in json.dumps(document)


def test_every_kind_of_question(session: winnow.Session) -> None:
    session.set_budget(winnow.approx(60, "1e-4"), yes=True)
    rows = visits(400)
    rows["amount"] = range(len(rows))
    roles = {"item": "area", "user": "user"}
    assert top(session, rows, epsilon=5, delta="1e-6", candidates=None).document["mechanism"]["name"] == "limited-top-k"
    assert all(item.gap is not None for item in top(session, rows).items)
    assert session.adaptive(rows, **roles, max_k=3, rho="0.5", delta="1e-6").document["question"]["kind"] == "adaptive"
    named = session.names(rows, **roles, max_items_per_user=2, epsilon=3, delta="1e-6")
    assert "Alster" in named.names
    median = session.quantile(rows, column="amount", user="user", quantiles=[0.5], range=(0, 1000), epsilon=1)
    assert 0 <= Fraction(median.items[0].item) <= 1000 and median.items[0].quantile == Fraction(1, 2)
    frequencies = session.frequencies(rows, **roles, epsilon=1).frequencies
    assert all(users > 0 and items > 0 for users, items in frequencies)
    guessed = top(session, rows, k=60, epsilon=1, delta="1e-6", candidates=None, guess="people=3000,items-per-person=13")
    assert guessed.document["question"]["mechanism"] == "threshold-top-k" and guessed.document["question"]["maxItemsPerUser"] == 10
    counted = top(session, rows, counts=True, epsilon=5)
    assert all(isinstance(item.count, int) for item in counted.items)
    assert all(abs(item.count - item.exact_count) <= Fraction(1, 2) for item in counted.items)
    assert top(session, visits().assign(area=3), k=1, domain_size=10, epsilon=9, candidates=None).names == ["3"]
    assert session.verify() == []


def test_a_budget_is_kept(session: winnow.Session) -> None:
    assert session.set_budget(winnow.pure(2)) is True
    assert session.set_budget(winnow.pure(2)) is False
    assert top(session).account.more == 1  # type: ignore[union-attr]
    top(session)
    error = refused("over-budget", session)
    assert "session.account()" in str(error)
    assert session.account().remaining == winnow.pure(0) or session.account().releases == 2  # type: ignore[union-attr]
    with pytest.raises(winnow.WinnowError) as caught:
        session.set_budget(winnow.pure(9))
    assert caught.value.code == "budget-exists"
    assert session.set_budget(winnow.pure(9), replace=True) is True


def test_the_same_id_is_the_same_answer_and_costs_nothing(session: winnow.Session) -> None:
    first = top(session, release_id="march")
    again = top(session, visits(7), release_id="march")
    assert again.document == first.document and again.is_stored and not first.is_stored
    assert session.account().releases == 1  # type: ignore[union-attr]
    refused("release-id-taken", session, release_id="march", epsilon=2)
    assert session.find("march").document == first.document  # type: ignore[union-attr]
    assert session.find("april") is None


def test_what_the_command_line_would_ask_is_an_exception_that_says_what_to_pass(session: winnow.Session) -> None:
    error = refused("unconfirmed", session, epsilon=11)
    assert "Pass yes=True" in str(error) and "ε = 11" in str(error)
    assert session.account().releases == 0  # type: ignore[union-attr]
    assert top(session, epsilon=11, yes=True).released
    with pytest.raises(winnow.WinnowError) as caught:
        session.set_budget(winnow.pure(100))
    assert caught.value.code == "unconfirmed"


def test_a_list_that_hardly_matches_is_asked_about_before_the_charge(session: winnow.Session) -> None:
    rows = visits()
    with pytest.warns(winnow.NotForRelease, match="0 of 4 items"), pytest.raises(winnow.WinnowError) as caught:
        top(session, rows, candidates=[f"area {place}" for place in range(30)])
    assert caught.value.code == "unconfirmed"
    assert session.account().releases == 0  # type: ignore[union-attr]


def test_a_filter_that_makes_errors_of_warnings_loses_no_charged_answer(session: winnow.Session) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        release = top(session)
    assert session.find(release.id) is not None


def test_without_a_list_there_must_be_a_delta(session: winnow.Session) -> None:
    assert "delta must be given" in str(refused("usage", session, candidates=None))
    assert not Path("visits.ledger").exists()


def test_one_column_cannot_have_two_roles(session: winnow.Session) -> None:
    refused("usage", session, item="user")


def test_an_account_without_a_budget_beside_others_needs_a_word(session: winnow.Session) -> None:
    session.set_budget(winnow.pure(2))
    rows = visits(5)
    error = refused("no-budget", session, rows, dataset="other people")
    assert "new_dataset=True" in str(error)
    assert top(session, rows, dataset="other people", new_dataset=True).document["dataset"] == "other people"


def test_rows_that_were_charged_are_recognised_under_another_name(session: winnow.Session) -> None:
    rows = visits()
    top(session, rows, dataset="first")
    refused("which-dataset", session, needs("polars").from_pandas(rows), dataset="something else")
    assert top(session, rows, dataset="something else", new_dataset=True).released


def test_a_price_is_known_before(session: winnow.Session) -> None:
    price = session.price("top", item="area", user="user", k=2, epsilon="1/2", candidates=CANDIDATES)
    assert price.loss == winnow.pure("1/2") and price.account is None and price.concerns == []
    assert not Path("visits.ledger").exists()
    session.set_budget(winnow.pure(1))
    with pytest.raises(winnow.WinnowError) as caught:
        session.price("top", item="area", user="user", k=2, epsilon=2, candidates=CANDIDATES)
    assert caught.value.code == "over-budget"


def test_a_reserved_price_stays_if_the_count_fails(session: winnow.Session) -> None:
    class Failing:
        format = "none"

        def check(self, *_: str) -> None: ...

        def fingerprint(self, *_: str) -> None: ...

        def count(self, *_: Any) -> Any:
            raise RuntimeError("the rows are gone")

    from winnow_dp import _session

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_session, "rows_of", lambda _: Failing())
        with pytest.raises(RuntimeError, match="the rows are gone"):
            top(session, reserve=True, release_id="reserved")
        with pytest.raises(RuntimeError):
            top(session)
    account = session.account()
    assert account is not None and account.spent == winnow.pure(1) and account.releases == 0
    refused("reservation-open", session, release_id="reserved")


def test_two_sessions_share_one_ledger() -> None:
    for place, each in enumerate([winnow.Session("one.ledger"), winnow.Session(Path("one.ledger"))]):
        top(each)
        assert each.account().releases == place + 1  # type: ignore[union-attr]


def test_a_session_survives_its_engine_and_a_close(session: winnow.Session) -> None:
    top(session)
    engine.stop()
    assert session.account().releases == 1  # type: ignore[union-attr]
    session.close()
    assert session.account().releases == 1  # type: ignore[union-attr]
    with winnow.Session("visits.ledger") as other:
        assert top(other).released


def test_a_file_that_is_no_ledger_is_refused_and_left_alone() -> None:
    Path("visits.ledger").write_text("rows")
    refused("ledger-broken", winnow.Session("visits.ledger"))
    assert Path("visits.ledger").read_text() == "rows"


def test_releases_verify_in_both_directions(session: winnow.Session) -> None:
    from cli import winnow as command

    release = top(session)
    release.save("python.json")
    with pytest.raises(FileExistsError):
        release.save("python.json")
    session.close()
    assert command("verify", "python.json", "visits.ledger", "--json")["whole"] is True
    needs("pandas")
    visits().to_csv("visits.csv", index=False)
    Path("areas.txt").write_text("\n".join(CANDIDATES))
    theirs = command(
        *("top", "visits.csv", "--item", "area", "--user", "user", "-k", "2", "--epsilon", "1", "--domain", "areas.txt"),
        *("--dataset", "visits", "--ledger", "visits.ledger", "--json", "--yes"),
    )
    assert session.verify(theirs) == [] and session.verify(release) == []
    assert [each.document["software"]["name"] for each in session.releases()] == ["winnow-dp-python", "winnow-cli"]
    assert len(session.verify({**theirs, "dataset": "another"})) > 0
    assert theirs["question"] == release.document["question"]


def test_what_the_command_line_chose_by_the_rows_is_priced_again(session: winnow.Session) -> None:
    from cli import winnow as command

    rows = [(f"u{person}", f"a{(person * place) % 97 % 41}") for person in range(1500) for place in range(1, 7)]
    needs("pandas").DataFrame(rows, columns=["user", "area"]).to_csv("visits.csv", index=False)
    words = ["--item", "area", "--user", "user", "-k", "10", "--epsilon", "1", "--delta", "1e-6", "--dataset", "visits", "--ledger", "visits.ledger"]
    theirs = command("top", "visits.csv", *words, "--tune", "1/10", "--json", "--yes")
    done = subprocess.run(["node", str(ROOT / "packages/cli/bin/winnow.js"), "budget", "export", "--ledger", "visits.ledger"], capture_output=True, check=True)
    chosen, released = (json.loads(line) for line in done.stdout.splitlines()[1:])
    choice = {**chosen["release"], "ledger": {"sequence": 1, "head": released["previous"]}}
    assert choice["schema"] == "winnow-tune/1"
    assert session.verify() == session.verify(theirs) == session.verify(choice) == []
    assert session.verify({**choice, "loss": {**choice["loss"], "epsilon": "0.01"}}) != []


def test_a_head_that_a_release_carries_must_be_signed_by_a_key_of_the_ledger(session: winnow.Session) -> None:
    document = top(session).document
    forged = {**document, "ledger": {**document["ledger"], "witnessed": {"note": "winnow\n1\nAAAA\n\n\u2014 someone AAAA\n"}}}
    assert session.verify(document) == []
    assert any("carries isn't one" in sentence for sentence in session.verify(forged))


def test_a_notebook_shows_the_answer_the_picture_the_cost_and_what_is_left(session: winnow.Session) -> None:
    session.set_budget(winnow.pure(3))
    names = ["<img src=x onerror=alert(1)>", "b\u202e"]
    rows = needs("pandas").DataFrame({"user": range(200), "area": [names[0]] * 100 + [names[1]] * 100})
    release = top(session, rows, candidates=names, k=2, epsilon="0.5")
    page = release._repr_html_()
    assert "\u202e" not in str(release)
    assert "<img src=x" not in page and "\u202e" not in page and "<script" not in page
    assert page.count("<table>") == 1 and 'src="data:image/svg+xml;utf8,' in page
    assert "Cost: ε = 0.5" in page and "ε = 2.5 of ε = 3 left, 5 more releases like this" in page


def test_the_other_forms_of_a_release(session: winnow.Session) -> None:
    release = top(session)
    assert json.loads(release.to_json()) == release.document
    assert release.to_csv().splitlines()[0].startswith("rank,item") or "item" in release.to_csv().splitlines()[0]
    assert release.svg().startswith("<svg")
    assert "differentially private" in release.statement()


def test_an_asynchronous_session() -> None:
    async def two() -> list[winnow.Release]:
        async with winnow.AsyncSession("visits.ledger") as session:
            rows = visits()
            asked: dict[str, Any] = {"item": "area", "user": "user", "k": 1, "epsilon": 1, "candidates": CANDIDATES}
            return list(await asyncio.gather(session.top(rows, **asked), session.top(rows, **asked)))

    assert len({release.id for release in asyncio.run(two())}) == 2


def test_threads_share_a_session(session: winnow.Session) -> None:
    threads = [threading.Thread(target=top, args=(session,)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.account().releases == 5  # type: ignore[union-attr]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
class TestKills:
    """kill -9 of the engine at any moment: no answer without its charge, and none charged twice."""

    TRIALS = 100 if os.environ.get("PROVE") == "all" else 8

    def test_a_kill_before_the_charge_costs_nothing(self, session: winnow.Session, monkeypatch: pytest.MonkeyPatch) -> None:
        top(session)
        from winnow_dp._frames import PandasRows

        count, kills = PandasRows.count, []

        def killing(self: Any, *given: Any) -> Any:
            if not kills:
                kills.append(engine.pid)
                os.kill(engine.pid, signal.SIGKILL)
            return count(self, *given)

        monkeypatch.setattr(PandasRows, "count", killing)
        release = top(session)  # the session asks a new engine for the same release
        assert kills and engine.pid != kills[0]
        assert [each.id for each in session.releases()][1:] == [release.id]
        assert session.verify(release) == []

    def test_kills_around_the_charge(self, session: winnow.Session) -> None:
        generator = random.Random(7)
        session.set_budget(winnow.pure(2 * self.TRIALS + 1), yes=True)
        top(session)
        answered = []
        interrupted = 0
        for trial in range(self.TRIALS):
            with Killer(Path("visits.ledger-wal"), engine.pid, generator.randrange(400)) as killer:
                answered.append(top(session, release_id=f"trial {trial}"))
            interrupted += killer.killed
        stored = {release.id: release.document for release in session.releases()}
        assert len(session.releases()) == len(stored) == 1 + self.TRIALS
        assert all(stored[release.id] == without_place(release) for release in answered)
        assert session.account().spent == winnow.pure(1 + self.TRIALS)  # type: ignore[union-attr]
        assert session.verify() == []
        assert interrupted > 0


def without_place(release: winnow.Release) -> dict[str, Any]:
    """The document as the entry has it: the ledger adds its place on the way out."""
    return {name: part for name, part in release.document.items() if name != "ledger"}


class Killer:
    """Kills the engine when the ledger's log begins to change, after a number of further looks at it."""

    def __init__(self, log: Path, pid: int, looks: int) -> None:
        self.killed = False
        self._stop = False
        self._thread = threading.Thread(target=self._watch, args=(log, pid, looks))

    def _watch(self, log: Path, pid: int, looks: int) -> None:
        before = _state(log)
        while not self._stop:
            if _state(log) == before:
                continue
            if looks > 0:
                looks -= 1
                continue
            try:
                os.kill(pid, signal.SIGKILL)
                self.killed = True
            except ProcessLookupError:
                pass
            return

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = True
        self._thread.join()


def _state(path: Path) -> tuple[int, int]:
    try:
        stats = path.stat()
    except FileNotFoundError:
        return (0, 0)
    return (stats.st_size, stats.st_mtime_ns)


def test_ctrl_c_ends_the_call_and_the_session_goes_on(session: winnow.Session) -> None:
    script = """
import os, signal, sys, winnow_dp as winnow, pandas
from winnow_dp import _frames
session = winnow.Session("visits.ledger")
rows = pandas.DataFrame({"user": ["u1", "u2"], "area": ["Alster", "Bille"]})
count = _frames.PandasRows.count
def interrupted(self, *given):
    os.kill(os.getpid(), signal.SIGINT)
    return count(self, *given)
asked = dict(item="area", user="user", k=1, epsilon=1, candidates=["Alster", "Bille", "Elbe"])
_frames.PandasRows.count = interrupted
try:
    session.top(rows, **asked)
except KeyboardInterrupt:
    _frames.PandasRows.count = count
    session.top(rows, **asked)
    print(session.account().releases)
"""
    env = {**os.environ, "PYTHONPATH": str(Path(winnow.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=False, env=env)
    assert (done.stdout.strip(), done.returncode) == ("1", 0), done.stderr
