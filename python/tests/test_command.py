"""The wheel's command `winnow`: what it has works as on npm, with Python's duckdb as the reader's engine; it names npm's for the rest."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli import winnow as of_npm
from conftest import ROOT, needs

import winnow_dp as winnow

ROWS = [(f"u{user}", area) for user in range(300) for area in ("Alster", "Bille", "Elbe\u2028")[: 1 + user % 3]]
ROWS += [("", "Alster"), ("u1", ""), ("u1", '\ufeff"quoted"')]


def run(folder: Path, *words: str, status: int = 0, env: Any = None) -> subprocess.CompletedProcess[str]:
    place = {**os.environ, "PYTHONPATH": str(Path(winnow.__file__).parents[1])}
    command = [sys.executable, "-m", "winnow_dp._command", *words]
    done = subprocess.run(command, cwd=folder, env={**place, **(env or {})}, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("duckdb")
    place = tmp_path_factory.mktemp("command")
    quoted = ['"' + name.replace('"', '""') + '"' for row in ROWS for name in row]
    lines = [",".join(quoted[at : at + 2]) for at in range(0, len(quoted), 2)]
    (place / "visits.csv").write_text("\n".join(["user,area", *lines]), encoding="utf8")
    objects = [json.dumps({"user": user, "area": area}) for user, area in ROWS]
    objects[5] = '{"area": "Al\\u0073ter",   "extra": [1, {"a": 2}], "user": "u900"}'  # read by the library's own parser
    objects[6] = '{"broken"'
    (place / "visits.ndjson").write_text("\n".join(objects), encoding="utf8")
    import duckdb

    duckdb.from_csv_auto(str(place / "visits.csv"), all_varchar=True).write_parquet(str(place / "visits.parquet"))
    (place / "areas.txt").write_text("Alster\nBille\nElbe\nOste\n")
    return place


SURE = ["--item", "area", "--user", "user", "-k", "3", "--epsilon", "5000", "--delta", "1e-9", "--counts", "--json", "--yes"]


@pytest.mark.parametrize("name", ["visits.csv", "visits.ndjson", "visits.parquet"])
def test_it_counts_as_the_command_of_npm(name: str, folder: Path, tmp_path: Path) -> None:
    ledgers = [tmp_path / side / "visits.ledger" for side in ("python", "npm")]
    for ledger in ledgers:
        ledger.parent.mkdir()
    ours = json.loads(run(folder, "top", name, *SURE, "--ledger", str(ledgers[0])).stdout)
    theirs = of_npm("top", str(folder / name), *SURE, "--ledger", str(ledgers[1]))
    assert ours["answer"]["winners"] == theirs["answer"]["winners"] != []
    assert ours["source"] == theirs["source"]
    assert ours["software"]["name"] == "winnow-dp-python"


def test_a_list_names_and_a_quantile(folder: Path, tmp_path: Path) -> None:
    ledger = ["--ledger", str(tmp_path / "all.ledger"), "--json", "--yes"]
    roles = ["--item", "area", "--user", "user"]
    listed = json.loads(run(folder, "top", "visits.csv", *roles, "-k", "1", "--epsilon", "9", "--domain", "areas.txt", *ledger).stdout)
    assert [each["item"] for each in listed["answer"]["winners"]] == ["Alster"]
    named = run(folder, "names", "visits.parquet", *roles, "--max-items-per-user", "3", "--epsilon", "9", "--delta", "1e-6", *ledger)
    assert {"Alster", "Bille"} <= {each["item"] for each in json.loads(named.stdout)["answer"]["winners"]}
    (folder / "amounts.csv").write_text("user,amount\n" + "".join(f"u{each},{each}\n" for each in range(500)))
    median = ["--column", "amount", "--user", "user", "-q", "0.5", "--range", "0..1000", "--epsilon", "9"]
    value = json.loads(run(folder, "quantile", "amounts.csv", *median, *ledger).stdout)["answer"]["winners"][0]
    assert 200 < int(value["item"]) < 300


def test_plan_budget_show_and_verify(folder: Path, tmp_path: Path) -> None:
    ledger = ["--ledger", str(tmp_path / "kept.ledger")]
    assert "recall" in run(folder, "plan", "--help").stdout
    run(folder, "budget", "init", "visits.csv", "--epsilon", "3", *ledger)
    question = ["--item", "area", "--user", "user", "-k", "1", "--epsilon", "1", "--domain", "areas.txt"]
    release = json.loads(run(folder, "top", "visits.csv", *question, *ledger, "--json", "--yes").stdout)
    (tmp_path / "release.json").write_text(json.dumps(release))
    assert "\u03b5 = 1" in run(folder, "budget", "show", *ledger).stdout
    assert json.loads(run(folder, "show", release["id"], *ledger, "--json").stdout)["id"] == release["id"]
    run(tmp_path, "verify", "release.json", "kept.ledger")
    assert of_npm("verify", str(tmp_path / "release.json"), ledger[1], "--json")["whole"] is True
    refused = run(folder, "top", "visits.csv", *question[:-4], "--epsilon", "5", *question[-2:], *ledger, "--yes", status=3)
    assert "over-budget" in refused.stderr


def test_every_command_of_npm_is_here_or_named(folder: Path) -> None:
    said = [help_of_npm(), run(folder, "--help").stdout]
    theirs, ours = ({line.split()[0] for line in text.splitlines() if re.match(r"  [a-z]+ ", line)} for text in said)
    elsewhere = set(said[1].split("npm package winnow-cli:")[1].strip().rstrip(".").split(", "))
    assert {"top", "watch", "serve", "completion"} <= theirs
    assert ours | elsewhere == theirs and not ours & elsewhere


def help_of_npm() -> str:
    done = subprocess.run(["node", str(ROOT / "packages/cli/bin/winnow.js"), "--help"], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("words", [["serve"], ["audit", "--quick"], ["studio", "--help"]], ids=" ".join)
def test_the_rest_is_named_with_its_package(words: list[str], folder: Path) -> None:
    said = run(folder, *words, status=2).stderr
    assert f"winnow {words[0]} is in the npm package winnow-cli" in said
    assert words[0] in run(folder, "--help").stdout


def test_a_server_is_named_with_its_package(folder: Path) -> None:
    said = run(folder, "top", "postgres://here/rows", *SURE, status=2).stderr
    assert "PostgreSQL and ClickHouse need the npm package winnow-cli" in said


def test_without_duckdb_it_says_what_to_install(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "duckdb.py").write_text("raise ImportError")
    path = f"{tmp_path}{os.pathsep}{Path(winnow.__file__).parents[1]}"
    said = run(folder, "top", "visits.csv", *SURE, status=4, env={"PYTHONPATH": path}).stderr
    assert "pip install duckdb" in said
