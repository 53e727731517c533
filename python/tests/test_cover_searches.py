"""Searches of exact cover with costs, assumptions and limits, and diagrams, against all subsets and against the tool."""

from __future__ import annotations

import copy
import itertools
import os
import pickle
import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from test_cover import huge, queens

from galop.cover import Diagram, LimitReached, Problem, Solution

Made = tuple[Problem, dict[str, tuple[int, int]], list[dict[str, Any]], list[int]]


def made(seed: int) -> Made:
    """A small problem with bounds, colours and costs: also its bounds, and the items (with colours) and costs of options."""
    chance = random.Random(seed)
    bounds = {"a": (1, 1), "b": (1, 1), "c": (1, 1), "d": chance.choice([(1, 1), (0, 2), (1, 3)])}
    problem = Problem([(name, low, high) for name, (low, high) in bounds.items()], ["x", "y"])
    options, costs = [], []
    for _ in range(chance.randint(4, 11)):
        items: dict[str, Any] = dict.fromkeys(chance.sample("abcd", chance.randint(1, 3)))
        for name in "xy":
            if chance.random() < 0.3:
                items[name] = chance.choice([None, "red", "blue"])
        costs.append(chance.randrange(6))
        options.append(items)
        problem.option([name if colour is None else (name, colour) for name, colour in items.items()], costs[-1])
    return problem, bounds, options, costs


def with_costs(problem: Problem) -> Problem:
    first, *options = problem.to_text().splitlines()
    return Problem.from_text("\n".join([first, *(f"{line} |{7 * at % 31}" for at, line in enumerate(options))]) + "\n")


def is_solution(made: Made, chosen: tuple[int, ...]) -> bool:
    _, bounds, options, _ = made
    times = Counter(name for option in chosen for name in options[option])
    if not all(low <= times[name] <= high for name, (low, high) in bounds.items()):
        return False
    for name in "xy":
        colours = [options[option][name] for option in chosen if name in options[option]]
        if len(colours) > 1 and (None in colours or len(set(colours)) > 1):
            return False
    return True


def subsets(made: Made) -> list[list[int]]:
    """All solutions, found among all subsets of the options."""
    numbers = range(len(made[2]))
    chosen = itertools.chain.from_iterable(itertools.combinations(numbers, size) for size in range(len(numbers) + 1))
    return [list(one) for one in chosen if is_solution(made, one)]


def ranked(solutions: list[list[int]], costs: list[int], sign: int) -> list[Solution]:
    priced = [Solution(one, sum(costs[option] for option in one)) for one in solutions]
    return sorted(priced, key=lambda one: (sign * one.cost, one.options))


@pytest.mark.parametrize("seed", range(60))
def test_all_subsets(seed: int) -> None:
    example = made(seed)
    problem, _, _, costs = example
    solutions = subsets(example)
    assert problem.count() == len(solutions) and sorted(problem.solutions()) == sorted(solutions)
    assert (problem.first() in solutions) if solutions else problem.first() is None
    for n in (0, 1, 3, 1000):
        cheapest, dearest = ranked(solutions, costs, 1)[:n], ranked(solutions, costs, -1)[:n]
        assert problem.best(n) == cheapest and problem.worst(n) == dearest


@pytest.mark.parametrize("seed", range(60))
def test_diagrams_and_all_subsets(seed: int) -> None:
    example = made(seed)
    problem, bounds, options, _ = example
    solutions = subsets(example)
    if bounds["d"] != (1, 1):
        for call in (problem.diagram, problem.sample, problem.marginals, lambda: problem.nth(0)):
            with pytest.raises(ValueError, match="item `d` has bounds"):
                call()
        return
    diagram = problem.diagram()
    assert diagram.count() == len(solutions)
    numbered = [problem.nth(k) for k in range(len(solutions))]
    assert sorted(numbered) == sorted(solutions) and list(diagram) == numbered
    assert list(diagram.solutions(2)) == numbered[:2]
    for beyond in (len(solutions), -1, 2**200):
        with pytest.raises(ValueError, match=f"no solution {beyond} .*there are {len(solutions)}"):
            problem.nth(beyond)
    assert problem.marginals() == [sum(option in one for one in solutions) for option in range(len(options))]
    assert all(one in solutions for one in problem.sample(20, seed=seed))
    assert problem.sample(20, seed=seed) == diagram.sample(20, seed=seed)
    assert len(problem.sample(20)) == (20 if solutions else 0)


@pytest.mark.parametrize("seed", range(40))
def test_assumptions_and_all_subsets(seed: int) -> None:
    example = made(seed)
    problem, bounds, options, costs = example
    all_solutions = subsets(example)
    chance = random.Random(seed)
    one, other = chance.randrange(len(options)), chance.randrange(len(options))
    name = chance.choice("abc")
    with_name = [option for option in range(len(options)) if name in options[option]]
    cases: list[tuple[Any, Any, list[list[int]]]] = [
        ([one], (), [chosen for chosen in all_solutions if one in chosen]),
        (one, [other], [chosen for chosen in all_solutions if one in chosen and other not in chosen]),
    ]
    if with_name:
        # Every solution has exactly one option with this item.
        cases.append((name, (), all_solutions))
        cases.append(((), [[name]], [chosen for chosen in all_solutions if not set(chosen) & set(with_name)]))
    for with_, without, solutions in cases:
        assumed = problem.assume(with_, without)
        assert assumed.count() == len(solutions) and sorted(assumed.solutions()) == sorted(solutions)
        assert (assumed.first() in solutions) if solutions else assumed.first() is None
        assert assumed.best(4) == ranked(solutions, costs, 1)[:4] and assumed.worst(4) == ranked(solutions, costs, -1)[:4]
        if bounds["d"] != (1, 1):
            continue
        assert sorted(assumed.nth(k) for k in range(len(solutions))) == sorted(solutions)
        assert all(chosen in solutions for chosen in assumed.sample(5, seed=seed))
        assert assumed.marginals() == [sum(option in chosen for chosen in solutions) for option in range(len(options))]
        assert sorted(problem.diagram().assume(with_, without)) == sorted(solutions)
    assert problem.count() == len(all_solutions)


def test_assumptions_by_items() -> None:
    problem = queens(6)
    assert problem.assume("r0 c1").count() == problem.assume([["r0", "c1"]]).count() == problem.assume(1).count() == 1
    assert problem.assume("r0 c0").count() == 0
    assert problem.assume(without=["r0 c1", "r0 c2"]).count() == 2
    both = problem.assume(without="r0 c1").assume(without="r0 c2")
    assert both.count() == 2 and both.problem is problem
    assert repr(both) == f"Assumed({problem!r}, 0 with, 2 without)"
    assert [pickle.loads(pickle.dumps(both)).count(), copy.deepcopy(both).count()] == [2, 2]
    coloured = Problem.from_text("a b | x\na x:red\na x:blue\nb x:red\nb x:blue\n")
    assert coloured.assume("a x:red").first() == coloured.assume([["a", ("x", "red")]]).first() == [0, 2]
    # An option that is added later counts.
    grown = Problem(["a"])
    grown.option(["a"])
    assumed = grown.assume("a")
    assert grown.option(["a"]) == 1 and assumed.count() == 2 and assumed.sample(1, seed=1)[0] in ([0], [1])
    wrong: list[tuple[Any, str]] = [
        (36, "unknown option 36 .*there are 36"),
        ([-1], "with_=-1"),
        ("r9", "unknown item `r9`"),
        ("r0 r1", "no option has all items of `r0 r1`"),
        ([["a5"]], "options have all items of `a5`, and none of these items is covered exactly once"),
        ("", "no items"),
        ([[("r0", "red")]], "no option gives item `r0` the colour `red`"),
    ]
    for with_, words in wrong:
        with pytest.raises(ValueError, match=words):
            problem.assume(with_)
        with pytest.raises(ValueError, match=words):
            problem.diagram().assume(with_)


def test_a_diagram_is_kept_until_an_option_is_added() -> None:
    problem = queens(10)
    assert problem.diagram().count() == 724
    # A limit that no search keeps to: there is no search.
    assert problem.diagram(max_nodes=1).count() == 724
    assert problem.option(["r0", "c0"]) == 100
    with pytest.raises(LimitReached, match="stopped by max_nodes before the diagram was complete"):
        problem.diagram(max_nodes=1)
    assert problem.diagram().count() == problem.count() > 724


def test_diagrams_are_objects() -> None:
    diagram = queens(6).diagram()
    assert diagram.nodes == 1 and diagram.nbytes > 0
    assert diagram.problem.to_text() == queens(6).to_text() and repr(diagram) == "Diagram(1 node)"
    for call in (lambda: diagram.sample(-1), lambda: diagram.solutions(-1)):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError, match="Problem.diagram"):
        Diagram()


def test_samples_are_uniform() -> None:
    drawn = Counter(map(tuple, queens(6).sample(4000, seed=5)))
    # Four solutions; the standard deviation of each number is 27.
    assert len(drawn) == 4 and all(860 < number < 1140 for number in drawn.values())


def test_limits_tell_what_was_found() -> None:
    problem = huge()
    with pytest.raises(LimitReached, match="stopped by max_seconds after [1-9]") as stopped:
        for solution in problem.solutions(max_seconds=0.5):
            assert len(solution) == 30
    assert stopped.value.count > 0
    priced = with_costs(queens(16))
    with pytest.raises(LimitReached, match="the cheapest solution found costs|no solution was found") as stopped:
        priced.best(3, max_nodes=2000)
    found, bound = stopped.value.solutions, stopped.value.bound
    assert stopped.value.count == len(found) and bound is not None
    for options, cost in found:
        assert cost == sum(priced.cost(option) for option in options) and len(options) == 16
    again = pickle.loads(pickle.dumps(stopped.value))
    assert (str(again), again.count, again.solutions, again.bound) == (str(stopped.value), len(found), found, bound)
    for call in (
        lambda: problem.first(max_nodes=1, engine="links"),
        lambda: problem.diagram(max_memory=10_000),
        lambda: problem.diagram(max_seconds=0.05),
        lambda: problem.worst(max_seconds=0.0),
        lambda: list(problem.solutions(max_nodes=1000, engine="links")),
    ):
        with pytest.raises(LimitReached):
            call()
    for wrong in (
        lambda: problem.count(max_seconds=-1.0),
        lambda: problem.best(max_nodes=-1),
        lambda: problem.first(threads=-1),
        lambda: problem.solutions(max_memory=-1),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_threads_order_and_seeds() -> None:
    problem = queens(8)
    in_order = list(problem.solutions())
    assert list(problem.solutions(threads=2, ordered=True)) == in_order
    assert sorted(problem.solutions(threads=2)) == sorted(in_order)
    assert problem.first(threads=2) in in_order and problem.best(92, threads=2) == problem.best(92)
    assert list(queens(20).solutions(3, seed=7)) == list(queens(20).solutions(3, seed=7))


def wait_for_threads(number: int) -> None:
    until = time.monotonic() + 30
    while len(os.listdir("/proc/self/task")) > number:
        assert time.monotonic() < until, "the search goes on"
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="the threads of this process are counted in /proc")
def test_solutions_end_when_closed_or_dropped() -> None:
    before = len(os.listdir("/proc/self/task"))
    with closing(huge().solutions(threads=2)) as solutions:
        assert len(next(solutions)) == 30 and len(os.listdir("/proc/self/task")) > before
    wait_for_threads(before)
    assert list(solutions) == []
    solutions.close()
    dropped = huge().assume(without=0).solutions()
    assert len(next(dropped)) == 30 and len(os.listdir("/proc/self/task")) > before
    del dropped
    wait_for_threads(before)


def test_progress_of_searches() -> None:
    for search in ("first", "best", "worst"):
        seen: list[tuple[int, int | None]] = []
        getattr(queens(8), search)(progress=lambda done, total: seen.append((done, total)))
        assert seen and seen[-1][1] == 10**6

    def stop(done: int, total: int | None) -> None:
        raise KeyError("stop")

    with pytest.raises(KeyError):
        huge().best(progress=stop)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize("call", ["diagram()", "best(5)", "count()"])
def test_ctrl_c_stops_a_search(call: str) -> None:
    script = (
        "import os, signal, threading\nfrom test_cover import huge\nproblem = huge()\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        f"try:\n    problem.{call}\nexcept KeyboardInterrupt:\n    print('stopped')\n"
    )
    began = time.monotonic()
    folder = Path(__file__).parent
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.stdout == "stopped\n", done.stderr
    assert time.monotonic() - began < 60


def test_the_tool_answers_the_same(tmp_path: Path) -> None:
    priced = with_costs(queens(8))
    file = tmp_path / "queens.dlx"
    file.write_text(priced.to_text())

    def tool(*arguments: str) -> list[str]:
        script = "import sys; from galop._galop import main; main(['galop', *sys.argv[1:]])"
        command = [sys.executable, "-c", script, "cover", *arguments, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    def texts(solution: list[int]) -> str:
        return " | ".join(priced.option_text(option) for option in solution)

    assert tool("-q") == [str(priced.count())]
    assert tool("-q", "--with", "r0 c3") == [str(priced.assume("r0 c3").count())]
    assert tool("best", "-q", "--limit", "5") == [f"{texts(one.options)} |{one.cost}" for one in priced.best(5)]
    assert tool("best", "-q", "--dearest") == [f"{texts(one.options)} |{one.cost}" for one in priced.worst()]
    sampled = tool("sample", "-q", "--seed", "3", "-n", "4")
    assert len(sampled) == 4 and sampled == [texts(one) for one in priced.sample(4, seed=3)]
    assert tool("diagram", "-q", "--nth", "7") == [texts(priced.nth(6))]
    marginals = [int(line.split("\t")[0]) for line in tool("diagram", "-q", "--marginals")]
    assert marginals == priced.marginals()
