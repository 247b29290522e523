#!/usr/bin/env python3
"""Checks a release of Winnow against its ledger, without any code of Winnow.

    python3 verify.py LEDGER [RELEASE.json ...]
    python3 verify.py --proof PROOF.json RELEASE.json [ROOT]
    python3 verify.py --policy POLICY.txt RELEASE.json [WITNESSES]
    python3 verify.py --consistency PROOF.json EARLIER LATER

LEDGER is the SQLite file or the text that `winnow budget export` writes. Only the standard library of Python 3.9 or later is
used. From the published formulas (docs/proofs/index.md) this program computes again

  the chain      the SHA-256 of every entry, its number, the entry before it, the head;
  the charges    what each release costs by the parameters of its noise, in exact fractions; where a formula has an
                 exponential or a logarithm, between two integers (`Interval`);
  the totals     every charge of a data set against the budget that was in force, and the totals that SQLite keeps beside the log,
                 of data sets and of the analysts that releases name;
  the releases   that each RELEASE.json is an entry of the ledger, word for word.

With --proof it checks without a ledger that PROOF.json leads from the release to the root over all entries (a Merkle tree as
in RFC 9162) and their number, and that the root is ROOT, where that is given. The root must come from someone else to mean anything.

With --policy it checks, again without a ledger, the signed head that RELEASE.json carries: the signature of the ledger's key, the
path from the release to the head, and the cosignatures of witnesses, all by the keys of POLICY.txt (C2SP signed-note,
tlog-checkpoint, tlog-cosignature and tlog-policy). WITNESSES is how many must have cosigned, in place of the policy's quorum.

With --consistency it checks, again without a ledger, that the head LATER has all entries of the head EARLIER, unchanged and in the
same order. Each is a signed head or a release that carries one; who signed them, --policy says.

It prints one sentence for each thing that is wrong and ends with 1, or says what it checked and ends with 0; 2 means that a
file could not be read. A release that isn't a document of Winnow can't be priced: it is counted and named, and as RELEASE.json it
is wrong. It never reads private rows, and prints names of data sets and releases only.
"""
import base64
import datetime
import hashlib
import json
import math
import re
import sqlite3
import sys
import unicodedata
from fractions import Fraction as F
from functools import lru_cache
from pathlib import Path

EMPTY = "0" * 64
getattr(sys, "set_int_max_str_digits", int)(0)  # fractions may be long


class Wrong(Exception):
    """What is wrong, as a sentence."""


# --- JSON as the ledger writes it: keys in the order of UTF-16 code units, numbers and texts as ECMAScript prints them.

SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text):
    return '"' + re.sub(r'[\x00-\x1f"\\\ud800-\udfff]', lambda m: SHORT.get(m[0], "\\u%04x" % ord(m[0])), text) + '"'


def number(x):
    if x == int(x) and abs(x) < 1e21:
        return str(int(x))
    sign, digits, exponent = re.fullmatch(r"(-?)(\d(?:\.\d+)?)e([+-]\d+)", shortest(x)).groups()
    digits, e = digits.replace(".", "").rstrip("0"), int(exponent)
    if e >= 21 or e < -6:
        return f"{sign}{digits[0]}{'.' + digits[1:] if len(digits) > 1 else ''}e{'+' if e > 0 else '-'}{abs(e)}"
    return sign + ("0." + "0" * (-e - 1) + digits if e < 0 else digits[: e + 1] + "." + digits[e + 1 :])


def shortest(x):
    """d.ddde±n with the fewest digits that are read as x again."""
    return next(text for text in (f"{x:.{n}e}" for n in range(17)) if float(text) == x)


def canonical(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{quoted(key)}:{canonical(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return number(value)


def double(text):
    if math.isinf(float(text)):
        raise ValueError
    return float(text)


def once(fields):
    """An object; a field that is there twice would be checked in one of its values, and read by a person in the other."""
    if len(dict(fields)) < len(fields):
        raise ValueError
    return dict(fields)


def parse(text):
    """JSON whose numbers are doubles; `NaN` and its like are refused, and so are fields that are there twice."""
    return json.loads(text, parse_int=double, parse_float=double, parse_constant=double, object_pairs_hook=once)


# --- Exact numbers, and bounds where a number is irrational.

BITS = 1024  # the places of a fixed-point number; fewer while searching


def rational(text):
    """A fraction such as "1/3", "0.25" or "1e-6"; None for "Infinity"."""
    if text == "Infinity":
        return None
    form = r"-?[0-9]+(?:/[0-9]*[1-9][0-9]*|(?:\.[0-9]+)?(?:e(-?[0-9]{1,5}))?)"
    match = re.fullmatch(form, text) if isinstance(text, str) and len(text) <= 20000 else None
    if match is None or match[1] and abs(int(match[1])) > 10000:
        raise Wrong("A number in the ledger is not an exact fraction.")
    return F(text)


def whole(x):
    """A JSON number that is an integer above 0."""
    if not isinstance(x, float) or x != int(x) or x < 1:
        raise Wrong("A number of the ledger is not an integer above 0.")
    return int(x)


class Interval:
    """A number between two integers over 2^BITS."""

    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi

    @staticmethod
    def of(x):
        """Of an interval or a fraction."""
        if isinstance(x, Interval):
            return x
        scaled = F(x).numerator << BITS
        return Interval(scaled // F(x).denominator, -(-scaled // F(x).denominator))

    def __add__(self, other):
        other = Interval.of(other)
        return Interval(self.lo + other.lo, self.hi + other.hi)

    def __neg__(self):
        return Interval(-self.hi, -self.lo)

    def __sub__(self, other):
        return self + -Interval.of(other)

    def __mul__(self, other):
        other = Interval.of(other)
        ends = [a * b for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        return Interval(min(ends) >> BITS, -(-max(ends) >> BITS))

    def __truediv__(self, other):
        other = Interval.of(other)
        if other.lo <= 0:
            raise OverflowError
        ends = [(a << BITS, b) for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        return Interval(min(a // b for a, b in ends), max(-(-a // b) for a, b in ends))

    def most(self):
        return F(self.hi, 1 << BITS)

    def least(self):
        return F(self.lo, 1 << BITS)


def artanh2(t):
    """2·artanh of a fixed-point t, |t| ≤ 1/3: fewer than BITS terms, each cut off by at most 3 units."""
    square, power, total, n = t * t >> BITS, t, 0, 1
    while power not in (0, -1):
        total, power, n = total + power // n, power * square >> BITS, n + 2
    return 2 * total


def units(n):
    """More than the errors of a series and of n times ln 2."""
    return 8 * BITS * (abs(n) + 1)


def ln_of(x):
    """Of a fixed-point number above 0."""
    n = x.bit_length() - 1 - BITS  # x = m·2^n with 1 ≤ m < 2
    m = x >> n if n >= 0 else x << -n
    if 3 * m > 4 << BITS:
        m, n = m >> 1, n + 1
    one = 1 << BITS
    third = artanh2(one // 3)
    return artanh2(((m - one) << BITS) // (m + one)) + n * third, units(n)


def ln(x):
    """Of a fraction or an interval above 0."""
    if not isinstance(x, Interval):  # between 1/2 and 2, times a power of two
        n = F(x).numerator.bit_length() - F(x).denominator.bit_length()
        (value, off), (two, more) = ln_of(int(F(x) * F(2) ** (BITS - n))), ln_of(2 << BITS)
        return Interval(value + n * two - off - 2 - abs(n) * more, value + n * two + off + 2 + abs(n) * more)
    if x.lo <= 0:
        raise OverflowError
    (low, off), (high, more) = ln_of(x.lo), ln_of(x.hi)
    return Interval(low - off, high + more)


def exp_of(x):
    """Of a fixed-point number that is at most 1000: the value and how far it may be off."""
    ln2 = artanh2((1 << BITS) // 3)
    n = x // ln2
    if n > 2000:
        raise OverflowError
    if n < -BITS:
        return 0, 1
    r, total, term, i = x - n * ln2, 0, 1 << BITS, 0
    while term:
        total, i = total + term, i + 1
        term = (term * r >> BITS) // i
    return (total << n, units(n) << n) if n >= 0 else (total >> -n, (units(n) >> -n) + 2)


def exp(x):
    x = Interval.of(x)
    (low, off), (high, more) = exp_of(x.lo), exp_of(x.hi)
    return Interval(max(low - off, 0), high + more)


def lowest(function):
    """The α > 1 at which a function with one valley is least, to nine digits: α − 1 is scanned by powers of 16, then by thirds."""
    global BITS
    order = lambda e: 1 + F(2) ** (e >> 40) * (1 + F(e & (1 << 40) - 1, 1 << 40))  # e counts 2^-40
    at = lambda e: function(order(e))
    BITS, bits = 192, BITS
    try:
        middle = min((e << 40 for e in range(-40, 81, 4)), key=at)
        low, high = middle - (4 << 40), middle + (4 << 40)
        while high - low > 1 << 6:
            third = (high - low) // 3
            low, high = (low, high - third) if at(low + third) <= at(high - third) else (low + third, high)
        return order((low + high) // 2)
    finally:
        BITS = bits


# --- Curves and conversions (packages/core/src/accounting/conversions.proof.md, bounded-range.md).


def conversion(alpha, delta):
    """What a Rényi bound at order α costs beyond it as (ε, δ)."""
    return ln((alpha - 1) / alpha) - (ln(delta) + ln(alpha)) / (alpha - 1)


@lru_cache(None)
def pure_curve(e, alpha):
    """At least D_α of ε-DP."""
    if e == 0:
        return F(0)
    value = Interval.of(e) - (ln(exp(-e) + 1) - ln(exp(-(2 * alpha - 1) * e) + 1)) / (alpha - 1)
    return min(value.most(), e, alpha * e * e / 2)


@lru_cache(None)
def pure_rho(e):
    """At least ε·tanh(ε/2), the ρ of ε-DP."""
    if e < F(1, 10**6):
        return e * e / 2
    a = exp(-e)
    return min(((Interval.of(1) - a) / (a + 1) * e).most(), e * e / 2, e)


def range_curve(e, alpha):
    """At least D_α of bounded range ε."""
    if e == 0:
        return F(0)
    one_minus = lambda x: Interval.of(1) - exp(-x)
    try:
        t = ln((alpha - 1) / alpha) + ln(one_minus(alpha * e)) - ln(one_minus((alpha - 1) * e))
        value = t + e + (ln(one_minus(alpha * e)) - ln(alpha) - ln(one_minus(e))) / (alpha - 1)
        return min(value.most(), alpha * e * e / 8)
    except OverflowError:
        return alpha * e * e / 8  # too small for the digits of a search


def converted(curve, delta):
    """At least the least ε for which a Rényi curve is (ε, δ): every order is valid, so that of the search is."""
    if delta <= 0:
        return None
    at = lambda alpha: curve(alpha) + conversion(alpha, delta).most()
    return max(at(lowest(at)), F(0))


@lru_cache(None)
def most_rho(epsilon, delta):
    """At most the largest ρ that is worth (ε, δ), and its order."""
    at = lambda alpha: (epsilon - conversion(alpha, delta).most()) / alpha
    alpha = lowest(lambda alpha: -at(alpha))
    return at(alpha), alpha


# Each round of Gumbel noise has range η: all its log ratios lie in one interval of that length. What k such rounds, chosen one after
# the other by looking at the answers, are as (ε, δ) is the recursion of rounds-of-bounded-range.proof.md. Doubles carry it, with
# the slack of the proof for their roundings; every constant is rounded up or down from an interval.

GRIDS = ((3, 512), (10, 128), (30, 64), (100, 32), (300, 24), (1000, 16))  # rounds up to, points of a range


def double_up(x):
    """The double at or above a fraction of at least 0."""
    value = float(x)
    return value if F(value) >= x else math.nextafter(value, math.inf)


def double_down(x):
    value = float(x)
    return value if F(value) <= x else value * (1 - 2.0**-52)


@lru_cache(None)
def rounds_delta(epsilon, eta, k):
    """At least the δ of k rounds of range η at this ε; None where the doubles don't reach."""
    if k * eta <= epsilon:
        return F(0)
    one_minus = lambda x: Interval.of(1) - exp(-x)
    if k == 1:
        root_of = Interval.of(1) - exp(Interval.of((epsilon - eta) / 2))
        return (root_of * root_of / one_minus(eta)).most()
    if k * eta > 700 or k > 1000 or min(epsilon, eta) < F(1, 10**30):
        return None
    m = next(points for most, points in GRIDS if k <= most)
    h = eta / m
    whole, step = one_minus(eta), double_down(exp(-h).least()) * (1 - 2.0**-50)
    p = [1.0] + [double_up((one_minus(eta - i * h) / whole).most()) for i in range(1, m)] + [0.0]
    q = [0.0] + [double_up(((exp(-(eta - i * h)) - exp(-eta)) / whole).most()) for i in range(1, m)] + [1.0]
    ratio, inverse = double_up(exp(h).most()), double_up((Interval.of(1) / (exp(h) - 1)).most())
    half = exp(h / 2) - 1
    bend = double_up((half * half / whole).most())
    flat = double_down(max(F(0), 1 - h))
    powers, zero = [1.0], -math.ceil(epsilon / h)
    width = max(8.0, 2 * float(epsilon / eta) / math.sqrt(k) + 2)
    spread = lambda n: min(n * m, math.ceil(width * math.sqrt(n) * m / 2) + 2 * m)

    def power(n):
        while len(powers) <= n:
            powers.append(powers[-1] * step)
        return powers[n]

    start, kept = 0, [0.0]
    for j in range(1, k + 1):
        low = max(-spread(j), zero - spread(k - j) - 1)
        high = max(zero + 2, min(spread(j), zero + spread(k - j) + 2))
        if low > high:
            return None
        reach, last = (j - 1) * m, start + len(kept) - 1

        def bound(n):
            if n <= -reach:
                return 0.0
            if n >= reach:
                return 1 - power(n)
            if n <= last:
                return kept[max(n - start, 0)]
            return min(1.0, (1 - power(n - last) * (1 - kept[-1])) * (1 + 2.0**-50))

        v = [bound(n) for n in range(low - m, high + m + 2)]
        g = []
        for n in range(high - low + m + 1):
            c = v[n + m] - v[n] + ratio * inverse * (v[n + m + 1] - v[n + m] - (v[n + 1] - v[n])) + 2.0**-46 * inverse * v[n + m + 1]
            g.append(c * bend * (1 + 2.0**-50) if c > 0 else 0.0)
        start, kept = low, []
        for i in range(high - low + 1):
            best, u = 0.0, v[i + m]
            for t in range(1, m + 1):
                f = p[t] * v[i + t + m] + q[t] * v[i + t]
                top, w = (f if f > u else u), g[i + t - 1]
                if top + w > best:
                    d = abs(f - u) - 2.0**-48 * top
                    y = 1.0 if d <= 0 else 1 - flat * d / (4 * w) if w > 0 else 0.0
                    best = max(best, top + w * y * y if y > 0 else top)
                u = f
            kept.append(min(1.0, max(best * (1 + 2.0**-49), 2.0**-900)))
    at = zero - start
    if not 0 <= at < len(kept) - 1:
        return None
    x, y = exp(epsilon + zero * h), exp(epsilon + (zero + 1) * h)
    share = (Interval.of(1) - x) / (y - x)
    total = (Interval.of(1) - share) * x * F(kept[at]) + share * y * F(kept[at + 1])
    return min(total.most(), F(1))


def root(x):
    """√x to many digits, from below."""
    return F(math.isqrt((x.numerator << 2 * BITS) // x.denominator), 1 << BITS)


def gaussian_tail(variance, least):
    """At least P(N ≥ least) for discrete Gaussian noise: strips of w integers count as w times their first."""
    w = max(1, math.isqrt(int(variance)) // 4000)
    places = 1 << 400
    fix = lambda x: -(-x.numerator * places // x.denominator)
    total, x = 0, F(least)
    weight = fix(exp(-x * x / (2 * variance)).most())
    step, shrink = fix(exp(-(2 * x * w + w * w) / (2 * variance)).most()), fix(exp(-F(w * w) / variance).most())
    while weight >> 100 and step < places:
        total, weight, step = total + weight, weight * step // places + 1, step * shrink // places + 1
    rest = F(places, places - step) if step < places else None  # what follows falls geometrically
    whole = root(2 * F(314159265358979, 10**14) * variance)  # Σ over all integers is at least √(2πσ²), by Poisson's formula
    if variance < 25:
        whole = 1 + 2 * sum(exp(-F(x * x) / (2 * variance)).least() for x in range(1, 60))
    return None if rest is None else w * (F(total, places) + rest * F(weight, places)) / whole


@lru_cache(None)
def moved_delta(epsilon, variance, moved):
    """At least the δ of so many counts that move by 1 (discrete-gaussian-counts.proof.md), at any ε."""
    if moved == 0:
        return max(1 - exp(epsilon).least(), F(0))
    if epsilon < 0:
        return 1 - exp(epsilon).least() * (1 - moved_delta(-epsilon, variance, moved))
    if variance < F(1, 2) and moved > 1:
        return F(1)
    places, total = 1 << 512, moved * variance
    up, down = (lambda x: -(-x.numerator * places // x.denominator)), (lambda x: x.numerator * places // x.denominator)
    s = (epsilon * variance - F(moved, 2)) // 1 + 1
    weight, ratio = up(exp(-s * s / (2 * total)).most()), up(exp(-(2 * s + 1) / (2 * total)).most())
    kept, fall = down(exp(epsilon - moved * (2 * s + moved) / (2 * total)).least()), up(exp(-1 / total).most())
    shrink, total_sum = down(exp(-F(moved) / total).least()), 0
    while s < 0 or ratio >= places or weight << 100 > total_sum and weight > 1:
        total_sum += weight * (places - kept) // places + 1
        weight, ratio, kept = weight * ratio // places + 1, ratio * fall // places + 1, kept * shrink // places
        s += 1
    rest = F(weight) / (1 - F(ratio, places))
    whole = root(2 * F(314159265358979, 10**14) * total)
    if total < 25:
        whole = 1 + 2 * sum(exp(-F(x * x) / (2 * total)).least() for x in range(1, 60))
    excess = F(1)
    for j in range(1, moved):  # a sum of j + 1 noises against one of their variance; the factors fall with j
        x = exp(-2 * F(314159265358979, 10**14) ** 2 * variance * F(j, j + 1)).most()
        kappa = 2 * x / (1 - x**3)
        factor = (1 + kappa) / (1 - kappa)
        excess = Interval.of(excess * factor).most()
        if j == 31:
            excess = (exp(ln(factor) * (moved - 32)) * excess).most()
            break
    return min((total_sum + rest) / places / whole * excess, F(1))


def sparse_delta(epsilon, variance, p, items, replaced):
    """At least the δ of noise and threshold together (sparse-histogram.proof.md); new names pass the threshold with p at most."""
    moved, log = items * (2 if replaced else 1), -ln(1 - p)

    def bound(b1, c1, b2, c2):
        shown = moved_delta(epsilon + b1 * log.least() - c2 * log.most(), variance, moved - b1 - b2)
        stays = Interval.of(1 - p)
        power, n = Interval.of(1), c1
        while n:
            power, stays, n = power * stays if n & 1 else power, stays * stays, n >> 1
        return 1 - power.least() * (1 - shown)

    largest = bound(0, 0, 0, 0)
    blocks = [(0, items, 0, items)] if replaced else [(1, items, 0, 0), (0, 0, 1, items)]
    while blocks:
        b1, c1, b2, c2 = blocks.pop()
        value = bound(b1, c1, b2, c2)
        if value <= largest:
            continue
        if b1 == c1 and b2 == c2:
            largest = value
        elif c1 - b1 >= c2 - b2:
            blocks += [(b1, (b1 + c1) // 2, b2, c2), ((b1 + c1) // 2 + 1, c1, b2, c2)]
        else:
            blocks += [(b1, c1, b2, (b2 + c2) // 2), (b1, c1, (b2 + c2) // 2 + 1, c2)]
    return largest


# --- What a release costs, by the parameters of its noise. A loss is a dictionary of fractions with its measure.


def loss_of(entry):
    loss = {"measure": entry.get("measure")}
    for name in ("epsilon", "eta", "rho", "delta"):
        if name in entry:
            loss[name] = rational(entry[name])
            if loss[name] is not None and loss[name] < 0:
                raise Wrong("A loss in the ledger is negative.")
    needed = {"pure": ["epsilon"], "approx": ["epsilon", "delta"], "base2": ["eta"], "zcdp": ["rho"]}.get(loss["measure"], ["?"])
    if any(name not in loss for name in needed):
        raise Wrong("A loss in the ledger does not have the numbers of its measure.")
    return loss


def show(loss):
    digits = lambda x: "∞" if x is None else f"{float(x):.6g}"
    names = {"epsilon": "ε", "eta": "η", "rho": "ρ", "delta": "δ"}
    return ", ".join(f"{names[name]} = {digits(size)}" for name, size in loss.items() if name in names)


SYMBOLS = {"pure": ["ε"], "approx": ["ε", "δ"], "base2": ["η"], "zcdp": ["ρ", "δ"]}


def check_words(release):
    """Raises unless the words beside each loss say its numbers: never less, and more by a thousandth at most, as a number is cut to four digits."""
    for part in [release["loss"], *release.get("charge", {}).values()]:
        loss = loss_of(part)
        sizes = [size for name, size in ((name, loss.get(name)) for name in ("epsilon", "eta", "rho", "delta")) if name in loss]
        said = [words.partition(" = ") for words in part["readable"].split(", ")]
        spoken = [None if text == "∞" else rational(text) for _, _, text in said]
        is_named = [symbol for symbol, _, _ in said] == SYMBOLS[loss["measure"]][: len(sizes)]
        if not is_named or any((one is None) != (size is None) or one is not None and not size <= one <= size * F(1001, 1000) for one, size in zip(spoken, sizes)):
            raise Wrong(f"it costs {show(loss)}, and in words it states {quoted(part['readable'])}")


def check_own_words(release):
    """The same where there is no ledger to look it up in."""
    try:
        check_words(release)
    except Wrong as wrong:
        raise Wrong(f"Release {quoted(release['id'])} contradicts itself: {wrong}.")


class Noise:
    """The public parameters of a release, and what follows from them for every mechanism."""

    def __init__(self, release):
        self.question, mechanism = release["question"], release["mechanism"]
        self.name, self.given = mechanism["name"], mechanism["parameters"]
        if self.name != self.question["mechanism"]:
            raise Wrong("it names two mechanisms")
        self.k = whole(self.question["k"])
        self.moved = whole(self.question["maxItemsPerUser"]) if "maxItemsPerUser" in self.question else None
        self.replaced = self.question["neighbours"] == "replace"
        self.range = F(2 if self.replaced else 1)  # of counts, which one person moves by 1
        self.in_rho = "rho" in self.question
        if "monotone" in self.given and self.given["monotone"] != str(not self.replaced).lower() or self.given.get("sensitivity", "1") != "1":
            raise Wrong("its sensitivity is not that of its neighbours")

    def size(self, name):
        value = rational(self.given[name])
        if value is None or value <= 0:
            raise Wrong(f"its parameter {name} is not above 0")
        return value

    def counts(self, names):
        """What so many measured counts cost: in ε of Laplace noise, or ρ of Gaussian noise."""
        if "counts" not in self.question:
            return F(0)
        moved = names if self.moved is None else min(names, self.moved * int(self.range))
        is_gaussian = self.in_rho or self.given.get("noise") == "gumbel"
        name = "countVariance" if is_gaussian else "countScale"
        if name + "Shared" in self.given:
            return self.shared_counts(names, moved, is_gaussian, self.size(name), self.size(name + "Shared"))
        return moved / (2 * self.size(name)) if is_gaussian else moved / self.size(name)

    def shared_counts(self, names, moved, is_gaussian, own, shared):
        """The same where y = factor·count + N + M with one M for all: an integer c of each shift is hidden by M (shared-counts.proof.md)."""
        a = self.size("countFactor")
        if self.replaced or a.denominator != 1 or not is_gaussian and a != 1:
            raise Wrong("its counts share noise, which is proven for people who are added or removed and whole factors only")
        most = F(0)
        for s in range(1, moved + 1):
            if is_gaussian:
                best = int(s * a / (names + own / shared))
                cost = min((s * (a - c) ** 2 + (names - s) * c * c) / (2 * own) + F(c * c) / (2 * shared) for c in (best, best + 1))
            else:
                cost = min(s / own, (names - s) / own + 1 / shared)
            most = max(most, cost)
        return most

    def least(self, delta):
        """The least loss that is proven for these parameters: ε or ρ, as the question is, and δ, of which `delta` may be used."""
        methods = {"limited-top-k": self.limited, "quantiles": self.quantiles, "integer-partition": self.frequencies, "top-k-set": self.set}
        methods["histogram-top-k"] = self.histogram
        methods.update({name: self.partitions for name in ("select-partitions", "threshold-top-k")})
        methods.update({name: self.stable for name in ("stable-top-k", "stable-top-k-fixed")})
        return methods.get(self.name, self.listed)(delta)

    def listed(self, delta):
        is_gumbel = self.in_rho or "delta" in self.question
        if self.name not in ("top-k", "top-k-with-gap", "permute-and-flip") or is_gumbel and self.name != "top-k":
            raise Wrong("its mechanism is not known")
        each = self.range / self.size("scale")
        if self.given["noise"] != ("gumbel" if is_gumbel else "exponential"):
            raise Wrong("its noise does not fit its budget")
        if "delta" in self.question:
            return self.rounds_with_delta(each, delta)
        return (self.k * each * each / 8 if self.in_rho else self.k * each) + self.counts(self.k), F(0)

    def set(self, _):
        """One selection among all sets, whose scores have the range of a single count (top-k-set.proof.md)."""
        share, each = rational(self.given["outsiderShare"]), self.range / self.size("scale")
        if share is None or not 0 <= share <= 1 or rational(self.question["outsiderShare"]) != share:
            raise Wrong("its share of outsiders is not that of its question")
        return (each * each / 8 if self.in_rho else each) + self.counts(self.k), F(0)

    def rounds_with_delta(self, each, delta):
        """k rounds of range `each` in (ε, δ), with or without counts."""
        if "counts" in self.question:
            rho = self.k * each * each / 8 + self.counts(self.k)
            return converted(lambda alpha: alpha * rho, delta), delta
        if self.size("range") != each or self.given.get("rounds") != str(self.k):
            raise Wrong("its range and its rounds are not those of its noise")
        asked = rational(self.question["epsilon"])
        enough = rounds_delta(asked, each, self.k)
        if enough is not None and enough <= delta:
            return asked, enough
        return converted(lambda alpha: min(range_curve(each, alpha) * self.k, alpha * self.k * each * each / 8), delta), delta

    def failure(self):
        """The probability that names of one person beat ⊥ (limited-top-k.md, L1 and L2)."""
        m = int(self.size("maxCandidates"))
        m = m if self.moved is None else min(m, self.moved)
        x = min(self.size("threshold") / self.size("scale"), F(512))  # beyond it, the failure there is charged
        if self.given["noise"] == "gumbel":
            return (Interval.of(m) / (exp(x) + m)).most()
        a = exp(-x)
        one = Interval.of(1)
        power, base, n = one, one - a, m + 1
        while n:
            power, base, n = power * base if n & 1 else power, base * base, n >> 1
        return min((one - (one - power) / (a * (m + 1))).most(), m * a.most() / 2)

    def limited(self, delta):
        each, is_gumbel, counts = self.range / self.size("scale"), self.given["noise"] == "gumbel", self.counts(self.k)
        failure = self.failure()
        if failure > rational(self.given["failure"]) or self.size("maxCandidates") < self.k:
            raise Wrong("its threshold does not keep the failure that it states")
        if self.in_rho:
            return (self.k * each * each / 8 if is_gumbel else (self.k * each) ** 2 / 2) + counts, failure
        if not is_gumbel:
            return self.k * each + counts, failure
        asked, curve = rational(self.question["epsilon"]), converted(lambda alpha: range_curve(each, alpha) * self.k + alpha * counts, delta - failure)
        if curve is not None and curve <= asked:
            return curve, delta
        enough = None if counts else rounds_delta(asked, each, self.k)
        together = None if enough is None else (failure + (1 - failure) * enough) * (1 - F(1, 10**12))  # doubles round in another order here
        if together is not None and together <= delta:
            return asked, together
        return curve, delta

    def partitions(self, delta):
        m = self.moved * int(self.range)
        if self.given["method"] == "gaussian":
            p = gaussian_tail(self.size("variance"), self.size("threshold") - 1)
            failure = F(1) if p is None or p >= 1 else 1 - (1 - p) ** self.moved
            rho = F(m) / (2 * self.size("variance"))
            if self.in_rho:
                return rho, failure
            if p is not None and p < 1 and m * self.size("variance") <= 10**6:
                asked = rational(self.question["epsilon"])
                exact = sparse_delta(asked, self.size("variance"), p, self.moved, self.replaced)
                if exact <= delta:
                    return asked, exact
            return converted(lambda alpha: alpha * rho, delta - failure), delta
        if self.given["method"] == "renyi" and "counts" not in self.question:
            return self.table(m, delta)
        if self.given["method"] == "zcdp" and "counts" not in self.question and self.in_rho:
            return m * self.size("rhoEach"), m * self.size("deltaEach")
        each = self.size("epsilonEach")
        if self.given["method"] == "optimal" and "counts" not in self.question:
            return m * each, m * self.size("deltaEach")
        a, kappa = exp(-each), self.size("threshold") - 1
        return m * each, m * (exp(-each * kappa) * (Interval.of(1) - a) / (a + 1 - exp(-each * (kappa + 1)) * 2)).most()

    def histogram(self, _):
        """Noise on every count of a list, of which one person moves m: the best of it is post-processing (histogram-top-k.proof.md)."""
        moved = min(self.moved * int(self.range), whole(self.question["domain"]["size"]))
        if "countScale" in self.given:
            return moved / self.size("countScale"), F(0)
        if self.in_rho:
            return moved / (2 * self.size("countVariance")), F(0)
        asked = rational(self.question["epsilon"])
        return asked, moved_delta(asked, self.size("countVariance"), moved)

    def table(self, m, delta):
        """Names by the largest table of one Rényi order (keep-table.proof.md): its two conditions, and that failures are alternatives."""
        alpha, growth, failure = self.size("order"), self.size("growth"), self.size("failureEach")
        if alpha.denominator != 1 or not 1 < alpha < 10**6 or growth <= 1 or growth * (1 - failure) ** int(alpha - 1) < 1:
            raise Wrong("its table is not one that can be proven")
        grown = Interval.of(growth)
        power, n = Interval.of(1), m
        while n:
            power, grown, n = power * grown if n & 1 else power, grown * grown, n >> 1
        spent = (Interval.of(m * failure) / (Interval.of(1) - Interval.of(1) / power)).most()
        least = (ln(growth) * m - ln(delta * alpha)) / (alpha - 1) - ln(alpha / (alpha - 1))
        return max(least.most(), F(0)), spent

    def stable(self, delta):
        gap, failure = self.size("gapSensitivity"), self.size("testFailure")
        if gap != self.range or self.name == "stable-top-k-fixed" and ("roundsRho" in self.given) == (self.question["domain"]["kind"] == "unknown"):
            raise Wrong("its gap does not have the sensitivity of its neighbours")
        rho = (2 * gap / self.size("sizeScale")) ** 2 / 8 + gap * gap / (2 * self.size("testVariance"))
        rho += self.size("roundsRho") if "roundsRho" in self.given else 0
        return (rho, failure) if self.in_rho else (converted(lambda alpha: alpha * rho, delta - failure), delta)

    def quantiles(self, _):
        shares = [rational(share) for share in self.question["quantiles"]]
        if self.given["method"] == "recursive":
            h, each = len(shares).bit_length(), self.size("epsilonOfLevel")
            return h * each * each / 8 if self.in_rho else h * each, F(0)
        span = lambda p: F(2) if self.replaced else F(1) if p in (0, 1) else 2 * max(p, 1 - p)
        ranges = [span(p) * self.moved / self.size("scale") for p in shares]
        return sum(e * e / 8 for e in ranges) if self.in_rho else sum(ranges), F(0)

    def frequencies(self, _):
        x, y, z = (int(part) for part in re.fullmatch(r"\((\d+)/2\^(\d+)\)\^(\d+)", self.given["base"]).groups())
        if self.size("distance") != self.moved * self.range or not 0 < x < 1 << min(y, 1 << 16):
            raise Wrong("its distance is not that of its neighbours")
        return (-ln(F(x, 1 << y)) * (2 * z * self.moved * self.range)).most(), F(0)

    def rounds(self, answer):
        """How many rounds an answer used, and how many names it has."""
        names = len(answer["winners"])
        return names + bool(answer["stopped"]), names


def labels_least(question, delta):
    """What labels of teachers cost: every query the same share of the budget (label-by-teachers.md)."""
    queries, many = whole(question["queries"]["size"]), question["task"] == "multi-label"
    if "rho" in question:
        return rational(question["rho"]) * (1 - F(1, 10**12)), delta if many else F(0)
    failure = delta / 2 if many else F(0)
    rho, _ = most_rho(rational(question["epsilon"]), delta - failure)
    share = rho / queries / (2 if many else 1)
    best = converted(lambda alpha: (range_curve(root(8 * share), alpha) + (alpha * share if many else 0)) * queries, delta - failure)
    return best * (1 - F(1, 10**9)), delta


def check_look(release, looks):
    """A look at a list that is renewed only when it is wrong (renew-list.md): the first one pays for the horizon, and each follows the last."""
    question, answer, noise = dict(release["question"]), release["answer"], {name: rational(size) for name, size in release["noise"].items()}
    number, about = whole(question.pop("look")), question.pop("about")
    same, loss = canonical([release["dataset"], question]), loss_of(release["loss"])
    before, most = looks.get(same), whole(question["renewals"])
    renewed, calendar = int(answer["renewed"]), {"unit": "person", **question["calendar"]}
    if number != (before[0] if before else 0) + 1 or release["id"] != f"{question['series']}#{number}":
        raise Wrong("it does not follow the look before it")
    if renewed != (before[1] + (answer["isRenewed"] is True) if before else 0) or renewed > most or answer["isFrozen"] is not (renewed >= most):
        raise Wrong("its list was renewed more often than it may be")
    if before and answer["isRenewed"] is not True and answer["list"] != before[2] or len(answer["list"]) != whole(question["k"]):
        raise Wrong("its list changed without being renewed")
    names = periods_of(promise_of(calendar))
    if about not in names or before and names.index(about) <= names.index(before[3]):
        raise Wrong("it is not about a later period of its horizon")
    least = 1 / noise["threshold"] + 2 * most / noise["query"] + (most + 1) * noise["list"]
    if question["neighbours"] != "add-remove" or loss["measure"] != "pure" or least > rational(question["epsilon"]):
        raise Wrong("its noise costs more than was asked for")
    if loss["epsilon"] < (F(0) if before else least):
        raise Wrong(f"its noise costs {show({'epsilon': least})}, and it states {show(loss)}")
    looks[same] = (number, renewed, answer["list"], about)


def check_choice(release):
    """A mechanism that was chosen by the rows (candidates.md): the best of K runs, K geometric, costs ε + 2·ln((e^ε + γ)/(1 + γ·e^ε))."""
    question, noise, loss = release["question"], release["noise"], loss_of(release["loss"])
    each, gamma, asked = rational(noise["epsilon"]), rational(noise["gamma"]), question["asked"]
    if noise["law"] != "truncated-negative-binomial" or noise["eta"] != "1" or not 0 < gamma < 1:
        raise Wrong("its number of runs has another law")
    if rational(noise["scale"]) * each < (2 if asked["neighbours"] == "replace" else 1):
        raise Wrong("its scores have less noise than one person needs")
    least = (Interval.of(each) + ln((exp(each) + gamma) / (exp(each) * gamma + 1)) * 2).least()
    share = rational(question["share"])
    is_within = least <= rational(asked["epsilon"]) * share if "epsilon" in asked else pure_rho(least) <= rational(asked["rho"]) * share
    if not 0 < share < 1 or not is_within:
        raise Wrong("its noise costs more than its share")
    if loss["measure"] != "pure" or loss["epsilon"] < least:
        raise Wrong(f"its noise costs {show({'epsilon': least})}, and it states {show(loss)}")
    if release["answer"] not in [{name: way[name] for name in way if name != "needs"} for way in question["candidates"]]:
        raise Wrong("it chose none of its candidates")


def check_answer(release):
    """Raises unless the answer has as many winners as its mechanism gives."""
    question, answer = release["question"], release["answer"]
    asked, k, items = whole(question["k"]), whole(answer["k"]), [winner["item"] for winner in answer["winners"]]
    paid = {"item", "quantile" if question["kind"] == "quantile" else "item"}
    paid |= {"count"} if "counts" in question else set()
    paid |= {"gap"} if "resolution" in question and release["mechanism"]["parameters"]["noise"] == "exponential" else set()
    if any(set(winner) - paid for winner in answer["winners"]) or question["kind"] == "frequencies" and items:
        raise Wrong("its answer says more than was paid for")
    full = question["kind"] == "quantile" or question["kind"] == "top" and question["domain"]["kind"] != "unknown"
    if (k > asked if question["kind"] == "adaptive" else k != asked) or (len(items) != k if full else len(items) > k):
        raise Wrong("its answer does not have the number of winners that was asked for")
    repeats = question["kind"] != "quantile" and len(set(items)) != len(items)
    if repeats or question["mechanism"] == "limited-top-k" and answer["stopped"] != (len(items) < k):
        raise Wrong("its answer is not one that its mechanism gives")
    unit = rational(release["mechanism"]["parameters"].get("countFactor", "1"))
    if any((rational(winner["count"]) * unit).denominator != 1 for winner in answer["winners"] if "count" in winner):
        raise Wrong("its counts are finer than their noise")
    if answer.get("counted") != counted(question):
        raise Wrong("its answer does not say what its numbers count")


def counted(question):
    """What the numbers of an answer count, where each user counts for a limited number of items or values."""
    most = question.get("maxItemsPerUser")
    if most is None:
        return None
    if question["kind"] == "quantile":
        values = "one value" if most == 1 else f"at most {whole(most):,} values"
        return f"{values} of each user, chosen at random"
    return f"users (each counted for at most {whole(most):,} {'item' if most == 1 else 'items'})"


def check_charge(release, account):
    """Raises what is wrong with the loss of a release, and with what it is counted as."""
    question, loss = release["question"], loss_of(release["loss"])
    asked = {name: rational(question[name]) for name in ("epsilon", "rho", "delta") if name in question}
    main = "rho" if "rho" in asked else "epsilon"
    delta = asked.get("delta", F(0))
    spare = min(delta, loss.get("delta", F(0)))
    if loss["measure"] != ("zcdp" if main == "rho" else "approx" if delta else "pure") or loss[main] is None:
        raise Wrong("its loss is not in the measure that was asked for")
    is_labels = question["kind"] == "labels"
    noise = None if is_labels else Noise(release)
    least, failure = labels_least(question, delta) if is_labels else noise.least(spare)
    if least is None or loss[main] < least or loss.get("delta", F(0)) < failure:
        raise Wrong(f"its noise costs {'more than its δ allows' if least is None else show({main: least, 'delta': failure})}, and it states {show(loss)}")
    if loss[main] > asked[main] or loss.get("delta", F(0)) > delta or not is_labels and 0 < loss[main] * 10 < asked[main] * 9:
        raise Wrong(f"{show(asked)} was asked for, and it states {show(loss)}")
    if not is_labels:
        check_answer(release)
    if "charge" in release:
        check_settled([(noise, release["answer"], loss)], release, account, lambda parts: parts[0])


class Groups:
    """The questions of the groups of a release, and what it costs together: the g largest (top-k-in-groups.proof.md)."""

    def __init__(self, release):
        self.release, self.question = release, release["question"]
        self.groups = self.question["groups"]
        self.most, self.replaced = whole(self.groups["maxGroupsPerUser"]), self.question["neighbours"] == "replace"
        self.selected = self.groups["list"] == "selected"
        self.known = 10_000 if self.selected else whole(self.groups["list"]["size"])
        self.main = "rho" if "rho" in self.question else "epsilon"
        self.asked, self.delta = rational(self.question[self.main]), rational(self.question.get("delta", "0"))
        self.parts = [(self.text(each["group"]), rational(each["part"])) for each in self.groups.get("budgets", [])]
        if self.parts and (self.selected or len(self.parts) >= self.most):
            raise Wrong("it has as many preferred groups as a person can be in")

    @staticmethod
    def text(name):
        return "".join(f"{len(part.encode())}:{part}" for part in name[:-1]) + name[-1]

    def own(self, group):
        """The release of one group, as far as its noise depends on it: by default one without a budget of its own."""
        given, names = self.release["mechanism"]["parameters"], [name for name, _ in self.parts]
        counted = min(self.most, self.known)
        if group in names:
            prefix, size = f"preferred {names.index(group) + 1}.", self.parts[names.index(group)][1]
            given = {name[len(prefix):]: text for name, text in given.items() if name.startswith(prefix)}
        else:
            rest = self.asked * (F(3, 4) if self.selected else 1) - sum(part for _, part in self.parts)
            size = rest / max(counted - len(self.parts), 1)
            given = {name: text for name, text in given.items() if "." not in name}
        delta = self.delta / (counted * (2 if self.replaced else 1))
        if self.selected:
            delta = delta / 2 if self.release["mechanism"]["name"] in ("limited-top-k", "threshold-top-k", "stable-top-k", "stable-top-k-fixed", "select-partitions") else F(0)
        question = {name: value for name, value in self.question.items() if name not in ("groups", "delta")}
        question.update({self.main: str(size), **({"delta": str(delta)} if delta else {})})
        return {"question": question, "mechanism": {"name": self.release["mechanism"]["name"], "parameters": given}}

    def selection(self):
        """The release that selects the groups."""
        given = self.release["mechanism"]["parameters"]
        delta = self.delta / 2 if "delta" in self.own(None)["question"] else self.delta
        question = {"kind": "names", "k": 1e4, "domain": {"kind": "unknown"}, "neighbours": self.question["neighbours"], "mechanism": "select-partitions"}
        question.update({self.main: str(self.asked / 4), "delta": str(delta), "maxItemsPerUser": float(self.most)})
        return {"question": question, "mechanism": {"name": "select-partitions", "parameters": {name[10:]: text for name, text in given.items() if name.startswith("selection.")}}}

    def together(self, losses):
        """The g largest of each size; failures of 2g groups where one person is replaced by another."""
        total = {}
        for size in {size for loss in losses for size in loss}:
            largest = sorted((loss.get(size, F(0)) for loss in losses), reverse=True)[: self.most]
            total[size] = sum(largest) * (2 if size == "delta" and self.replaced else 1)
        return total

    def least(self):
        leasts = [self.cost(self.own(group)) for group, _ in self.parts]
        others = self.known - len(self.parts)
        leasts += [self.cost(self.own(None))] * min(others, self.most) if others else []
        total = self.together(leasts)
        for size, value in (self.cost(self.selection()) if self.selected else {}).items():
            total[size] = total.get(size, F(0)) + value
        return total

    def cost(self, release):
        question = release["question"]
        delta = rational(question.get("delta", "0"))
        size, failure = Noise(release).least(delta)
        if size is None or size > rational(question[self.main]) or failure > delta:
            raise Wrong("the noise of a group costs more than its part of the budget")
        return {self.main: size, "delta": failure}

    def check_answers(self):
        answer, names = self.release["answer"], []
        for group in answer["groups"]:
            own = self.own(self.text(group["name"]))
            if len(group["name"]) != len(self.groups["by"]) or "groups" in group["answer"]:
                raise Wrong("its groups do not have the columns of its question")
            names.append(self.text(group["name"]))
            check_answer({**own, "answer": {**group["answer"], "counted": counted(own["question"])}})
        order = sorted(names, key=lambda name: name.encode("utf-16-be"))
        lines = "".join(quoted(name) + "\n" for name in order)
        if len(set(names)) != len(names) or answer["winners"] or whole(answer["k"]) != whole(self.question["k"]):
            raise Wrong("it does not have one answer for each group")
        if self.selected and names != order or not self.selected and hashlib.sha256(lines.encode()).hexdigest() != self.groups["list"]["hash"]:
            raise Wrong("its groups are not those of its list")
        if answer.get("counted") != self.counted():
            raise Wrong("its answer does not say what its numbers count")

    def counted(self):
        most, limit = self.question.get("maxItemsPerUser"), f"{self.most:,} {'group' if self.most == 1 else 'groups'}"
        if self.question["kind"] == "quantile":
            values = "one value" if most == 1 else f"at most {whole(most):,} values"
            return f"{values} of each user in each group, each user in at most {limit}, chosen at random"
        items = "" if most is None else f", for at most {whole(most):,} {'item' if most == 1 else 'items'} in each"
        return f"users (each counted in at most {limit}{items})"


def check_groups(release, account):
    """Raises what is wrong with a release in groups: its loss, its answers, and what it is counted as."""
    groups, loss = Groups(release), loss_of(release["loss"])
    measure = "zcdp" if groups.main == "rho" else "approx" if groups.delta else "pure"
    if loss["measure"] != measure or loss[groups.main] is None:
        raise Wrong("its loss is not in the measure that was asked for")
    least = groups.least()
    if loss[groups.main] < least[groups.main] or loss.get("delta", F(0)) < least["delta"]:
        raise Wrong(f"its noise costs {show(least)}, and it states {show(loss)}")
    if loss[groups.main] > groups.asked or loss.get("delta", F(0)) > groups.delta:
        raise Wrong(f"{show({groups.main: groups.asked, 'delta': groups.delta})} was asked for, and it states {show(loss)}")
    groups.check_answers()
    if "charge" not in release:
        return
    if groups.selected:
        raise Wrong("it is counted as less than it promises, without a reason")
    parts = []
    for group in release["answer"]["groups"]:
        own = groups.own(groups.text(group["name"]))
        parts.append((Noise(own), group["answer"], groups.cost(own)))
    check_settled(parts, release, account, groups.together)


def check_settled(parts, release, account, together):
    """What a release is counted as, where that is another loss than it promises: of each group, then together."""
    totals = {"reserved": [], "settled": []}
    for noise, answer, loss in parts:
        for name, least in settled_least(noise, answer, release, account, loss).items():
            totals[name].append(least)
    for name, leasts in totals.items():
        part, least = loss_of(release["charge"][name]), together(leasts)
        if any(part.get(size, F(0)) < least[size] for size in least):
            raise Wrong(f"it is counted as {show(part)}, and its rounds cost {show(least)}")


def settled_least(noise, answer, release, account, loss):
    """The least that one answer is reserved and counted as (limited-top-k.md, 6; releases.md)."""
    is_set = noise is not None and noise.name == "top-k-set"
    is_list = is_set or noise is not None and noise.name == "top-k" and "delta" in noise.question
    if noise is None or noise.name != "limited-top-k" and not is_list or account.budget is None:
        raise Wrong("it is counted as less than it promises, without a reason")
    reservation = next((group for group in account.groups if group.get("reservation") == release["id"]), None)
    late = reservation["isLate"] if reservation else account.is_late()
    each, limit = noise.range / noise.size("scale"), account.budget["measure"]
    failure = F(0) if is_list else noise.failure()
    used, leasts = (noise.k, noise.k) if is_list else noise.rounds(answer), {}
    for name, (rounds, names) in (("reserved", (noise.k, noise.k)), ("settled", used)):
        part = loss_of(release["charge"][name])
        counts = noise.counts(names)
        if part["measure"] == "zcdp":
            allowed = (is_set or noise.given["noise"] == "gumbel") and (limit in ("zcdp", "renyi") or limit == "approx" and (late or noise.in_rho))
            least = {"rho": rounds * each * each / 8 + counts, "delta": failure}
            if is_set:  # one selection in ρ, and Laplace noise on the counts
                least = {"rho": each * each / 8 + pure_rho(counts)}
                allowed = allowed and not noise.in_rho
        elif is_list and not is_set:
            allowed = part["measure"] == "pure" and limit in ("pure", "base2") and not counts
            least = {"epsilon": rounds * each}
        else:
            allowed = not is_set and part["measure"] == "approx" and limit == "approx" and not late and not noise.in_rho
            full = noise.given.get("noise") == "gumbel"
            spent = loss["epsilon"] if full and counts else min(loss["epsilon"], rounds * each + counts) if full else rounds * each + counts
            least = {"epsilon": spent, "delta": loss["delta"] if full else failure}
        if not allowed:
            raise Wrong(f"it is counted as {show(part)}, and its rounds cost {show(least)}")
        leasts[name] = least
    return leasts


# --- The account of a data set: what was charged to it, against the budget in force (packages/core/src/accounting/composition.proof.md).


class Account:
    def __init__(self):
        self.budget, self.budget_sequence, self.groups, self.units = None, None, [], []
        self.neighbours, self.releases, self.last = None, 0, None
        self.promised, self.counted = [], None  # the sums of charges that are no longer told apart
        self.promise = None

    def is_late(self):
        """Whether a loss without an ε was charged: from then on an (ε, δ) budget counts at one order."""
        return any(group["isLate"] for group in self.groups + self.promised)

    def enter(self, entry):
        if entry["kind"] == "budget":
            before, self.budget = self.budget, entry["budget"]
            self.limit = {name: value if name == "measure" else rational(value) for name, value in self.budget.items() if name != "rule"}
            if "rule" in self.budget and (before and "rule" not in before and (self.groups or self.promised) or self.budget["rule"] != 2 or self.limit["measure"] != "zcdp"):
                raise Wrong("what was charged to an account is never charged less")
            if "promise" in entry:
                if (self.groups and self.promise is None) or self.promise not in (None, promise_of(entry["promise"])):
                    raise Wrong("what an account promises over time never changes")
                self.promise = entry["promise"]
            elif self.promise is not None:
                raise Wrong("what an account promises over time never changes")
            if any("reservation" in group for group in self.groups):
                self.budget_sequence = entry["sequence"]
            return self.in_full()
        release = entry.get("release", entry)
        question = release.get("question") if isinstance(release.get("question"), dict) else {}
        if isinstance(question.get("unit"), str) and question["unit"] not in self.units and len(self.units) < 16:
            self.units.append(question["unit"])
        if isinstance(question.get("neighbours"), str):
            if self.neighbours not in (None, question["neighbours"]):
                raise Wrong("it has other neighbours than the releases before it")
            self.neighbours = question["neighbours"]
        period = self.period(question)
        loss, charge = exactly(release["loss"]), release.get("charge")
        settled = exactly(charge["settled"]) if charge else None
        if entry["kind"] == "reservation":
            return self.charge(loss, None, release["id"], None, period)
        self.releases, self.last = self.releases + 1, exactly(charge["reserved"]) if charge else loss
        reserved = next((group for group in self.groups if group.get("reservation") == release["id"]), None)
        if reserved:
            self.groups.remove(reserved)
        self.charge(loss, settled, None, reserved, period)

    def period(self, question):
        """The period that a question is about, as groups tell it apart; it must be one of the account's."""
        about = question.get("period")
        if not isinstance(about, dict) or not isinstance(about.get("name"), str):
            if self.promise is not None:
                raise Wrong("its account has periods, and it is about none")
            return None
        if self.promise is not None and (about.get("promise") != self.promise or about["name"] not in periods_of(self.promise)):
            raise Wrong("it is not about a period of its account")
        if ("key" in about) != ("maxPeriodsPerUser" in about.get("promise", {})):
            raise Wrong("it does not say which key chose the people of its period")
        return about["name"] + (f" {about['key']}" if isinstance(about.get("key"), str) else "")

    def in_full(self):
        """Another limit counts what each release promises."""
        for group in self.groups:
            group.pop("settled", None)
        self.counted = None

    def charge(self, loss, settled, reservation, reserved, period):
        late = reserved["isLate"] if reserved else (settled or loss)["measure"] == "zcdp" or self.is_late()
        for group in self.groups if reservation is None else []:
            if (group["loss"], group.get("settled"), group.get("reservation"), group["isLate"], group.get("period")) == (loss, settled, None, late, period):
                group["times"] += 1
                return
        full = period is None and sum("isFolded" not in group and "period" not in group for group in self.groups) >= MOST_GROUPS
        if not full or reservation is not None:
            group = {"loss": loss, "settled": settled, "reservation": reservation, "times": 1, "isLate": late, "isFolded": full or None, "period": period}
            return self.groups.append(known(group))
        if settled or self.counted is not None:
            self.counted = fold(self.promised if self.counted is None else self.counted, settled or loss, late)
        self.promised = fold(self.promised, loss, late)

    def summary(self):
        """As SQLite keeps it beside the log."""
        kept = {"budget": self.budget, "budgetSequence": self.budget_sequence, "units": self.units, "neighbours": self.neighbours}
        folded = known({"promised": self.promised, "counted": self.counted}) if self.promised else None
        kept["promise"] = self.promise
        return known({**kept, "charges": self.groups, "folded": folded, "releases": self.releases, "last": self.last})

    def check(self):
        """Raises unless all that was charged is within the budget."""
        if self.budget is None:
            return
        counted = [(loss_of(group.get("settled", group["loss"])), group["times"], group["isLate"]) for group in self.groups]
        counted += [(sum_of(folded), 1, folded["isLate"]) for folded in (self.promised if self.counted is None else self.counted)]
        if any(size is None for loss, _, _ in counted for size in loss.values()):
            raise Wrong("An unlimited loss was charged to a data set with a budget.")
        if self.promise is not None:
            return self.check_periods([(group["period"], loss, times) for group, (loss, times, _) in zip(self.groups, counted)])
        if not self.fits(counted):
            raise Wrong("More was charged than the budget allows.")

    def check_periods(self, charged):
        """For each key the periods that cost most, as many as a person may be counted in (packages/release/src/ledger/periods.ts)."""
        limit, by_key = self.limit, {}
        size = {"pure": natural, "zcdp": self.rho_of}[limit["measure"]]
        for text, loss, times in charged:
            if limit["measure"] == "pure" and (loss["measure"] == "zcdp" or loss.get("delta")):
                raise Wrong("More was charged than the budget allows.")
            name, _, key = text.partition(" ")
            total, failure = by_key.setdefault(key, {}).get(name, (F(0), F(0)))
            by_key[key][name] = (total + size(loss) * times, failure + loss.get("delta", F(0)) * times)
        most = 1 if self.promise["unit"] == "person-period" else int(self.promise.get("maxPeriodsPerUser", self.promise["horizon"]))
        top = lambda place: sum(sum(sorted((one[place] for one in periods.values()), reverse=True)[:most]) for periods in by_key.values())
        failures = top(1) * (2 if self.neighbours == "replace" else 1)
        if top(0) > limit["epsilon" if limit["measure"] == "pure" else "rho"] or failures > limit.get("delta", F(0)):
            raise Wrong("More was charged than the budget allows.")

    def rho_of(self, loss):
        """By the rule of the budget: without one an ε counts as ε²/2."""
        if "rule" in self.budget or loss["measure"] == "zcdp" or "squares" in loss:
            return rho_of(loss)
        return (ln(2) * ln(2) * loss["eta"] ** 2).most() / 2 if loss["measure"] == "base2" else loss["epsilon"] ** 2 / 2

    def fits(self, counted):
        limit = self.limit
        measure, delta = limit["measure"], limit.get("delta", F(0))
        if measure in ("pure", "base2"):
            if any(loss["measure"] == "zcdp" or loss.get("delta") for loss, _, _ in counted):
                return False
            if measure == "base2" and all(loss["measure"] == "base2" for loss, _, _ in counted):
                return sum(loss["eta"] * times for loss, times, _ in counted) <= limit["eta"]
            room = limit["epsilon"] if measure == "pure" else (ln(2) * limit["eta"]).least()
            return sum(natural(loss) * times for loss, times, _ in counted) <= room
        if measure == "approx":
            return self.fits_approx(counted)
        if sum(loss.get("delta", 0) * times for loss, times, _ in counted) > delta:
            return False
        if measure == "zcdp":
            return sum(self.rho_of(loss) * times for loss, times, _ in counted) <= limit["rho"]
        return sum(at_order(loss, limit["order"]) * times for loss, times, _ in counted) <= limit["epsilon"]

    def fits_approx(self, counted):
        """Losses in ε add up; from the first without one on, the rest is counted at the one order at which the most zCDP fits."""
        early = [(loss, times) for loss, times, late in counted if not late]
        late = [(loss, times) for loss, times, late in counted if late]
        room = self.limit["epsilon"] - sum(natural(loss) * times for loss, times in early)
        rest = self.limit["delta"] - sum(loss.get("delta", 0) * times for loss, times in early)
        if not late or room < 0 or rest < 0:
            return room >= 0 and rest >= 0
        half = rest / 2
        if room == 0 or half == 0 or sum(loss.get("delta", 0) * times for loss, times in late) > half:
            return False
        _, order = most_rho(room, half)
        near = [1 + (order - 1) * (1 + F(step, 1 << 26)) for step in range(-3, 4)]  # the order is the best to seven digits
        total = lambda alpha: max(conversion(alpha, half).most(), 0) + sum(at_order(loss, alpha) * times for loss, times in late)
        return any(total(alpha) <= room for alpha in near)


def promise_of(promise):
    """A promise as it must be written."""
    day = datetime.date.fromisoformat(promise["first"])
    whole(promise["horizon"])
    most = promise.get("maxPeriodsPerUser")
    good = promise["unit"] in ("person", "person-period") and promise["period"] in ("day", "week", "month")
    good = good and 2 <= int(promise["horizon"]) <= 1000 and set(promise) <= {"unit", "period", "first", "horizon", "maxPeriodsPerUser"}
    good = good and (most is None or promise["unit"] == "person" and 1 <= int(most) < int(promise["horizon"]))
    good = good and (promise["period"] != "week" or day.weekday() == 0) and (promise["period"] != "month" or day.day == 1)
    if not good:
        raise Wrong("what it promises over time can't be read")
    return promise


def periods_of(promise):
    """The names of all periods of a horizon."""
    day, names = datetime.date.fromisoformat(promise["first"]), []
    for _ in range(int(promise["horizon"])):
        if promise["period"] == "month":
            names.append(f"{day.year:04}-{day.month:02}")
            day = (day.replace(day=28) + datetime.timedelta(days=4)).replace(day=1)
        elif promise["period"] == "week":
            year, week, _ = day.isocalendar()
            names.append(f"{year:04}-W{week:02}")
            day += datetime.timedelta(days=7)
        else:
            names.append(day.isoformat())
            day += datetime.timedelta(days=1)
    return names


def natural(loss):
    """At least the ε of a loss, or of a sum."""
    return (ln(2) * loss["eta"]).most() if loss["measure"] == "base2" else loss["epsilon"]


def rho_of(loss):
    """At least the ρ: of ε, ε·tanh(ε/2); of a sum, half of the sum of squares."""
    if loss["measure"] == "zcdp":
        return loss["rho"]
    if "squares" not in loss:
        return pure_rho(natural(loss))
    return (ln(2) * ln(2) * loss["squares"]).most() / 2 if loss["measure"] == "base2" else loss["squares"] / 2


def at_order(loss, alpha):
    if loss["measure"] == "zcdp":
        return alpha * loss["rho"]
    return min(natural(loss), alpha * rho_of(loss)) if "squares" in loss else pure_curve(natural(loss), alpha)


# --- Sums of charges that are no longer told apart (packages/release/src/ledger/folded.ts): multiples of 10^-100, rounded up.

MOST_GROUPS, PLACES = 64, 100
SIZES = {"pure": "epsilon", "approx": "epsilon", "base2": "eta", "zcdp": "rho"}


def known(fields):
    return {name: value for name, value in fields.items() if value is not None}


def up(x):
    """The text of a fraction that is rounded up; "Infinity" for None."""
    if x is None:
        return "Infinity"
    whole, places = divmod(-(-x.numerator * 10**PLACES // x.denominator), 10**PLACES)
    return f"{whole}.{places:0{PLACES}}".rstrip("0").rstrip(".")


def added(one, other):
    return "Infinity" if "Infinity" in (one, other) else up(F(one) + F(other))


def fold(sums, loss, late):
    """The sums with one more charge."""
    exact = loss_of(loss)
    size = exact[SIZES[loss["measure"]]]
    one = {"isLate": late, "measure": loss["measure"], "times": 1, "size": up(size)}
    if loss["measure"] != "zcdp":
        one["decade"] = 1 if size is None else next((j for j in range(-10, 1) if size <= F(10) ** j), 1)
        one["squares"] = up(size and size * size)
    if loss["measure"] in ("approx", "zcdp"):
        one["delta"] = up(exact.get("delta", F(0)))
    kind = lambda part: (part["isLate"], part["measure"], part.get("decade"))
    sums = [dict(part) for part in sums]
    same = next((part for part in sums if kind(part) == kind(one)), None)
    if same is None:
        return sums + [one]
    same["times"] += 1
    same.update({name: added(same[name], one[name]) for name in ("size", "squares", "delta") if name in one})
    return sums


def sum_of(part):
    """A sum as a loss with the sum of squares."""
    number = lambda text: None if text == "Infinity" else F(text)
    loss = {"measure": part["measure"], SIZES[part["measure"]]: number(part["size"])}
    loss.update({name: number(part[name]) for name in ("squares", "delta") if name in part})
    return loss


# --- The ledger.


def read_ledger(path):
    """Rows of (sequence, hash, text), the head, and what is kept beside the log (or None)."""
    if path.read_bytes()[:16] != b"SQLite format 3\0":
        return read_text(path)
    wal = path.with_name(path.name + "-wal")
    mode = "mode=ro" if wal.exists() and wal.stat().st_size else "mode=ro&immutable=1"  # writes nothing, not even beside the file
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True)
    connection.text_factory = bytes
    text = lambda value: value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    try:
        rows = [(sequence, text(digest), text(line)) for sequence, digest, line in connection.execute("SELECT sequence, hash, text FROM log ORDER BY sequence")]
        head = next(((sequence, text(digest)) for sequence, digest in connection.execute("SELECT sequence, hash FROM head")), None)
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'accounts'").fetchone():
            return rows, head, None  # a ledger of the first version
        accounts = {key_of(text(name)): parse(text(kept)) for name, kept in connection.execute("SELECT dataset, summary FROM accounts")}
        places = {key_of(text(name)): sequence for name, sequence in connection.execute("SELECT id, sequence FROM releases")}
        return rows, head, (accounts, places)
    finally:
        connection.close()


def key_of(text):
    """A name, or a pair of names: of a data set and an analyst, or of an analyst and a number."""
    key = parse(text)
    return tuple(key) if isinstance(key, list) else key


def read_text(path):
    lines = [line for line in path.read_bytes().decode("utf-8").replace("\r\n", "\n").split("\n") if line]
    first = parse(lines[0]) if lines else None
    if not isinstance(first, dict) or first.get("format") != "winnow-ledger-file/1":
        raise ValueError
    rows = [(n, hashlib.sha256(line.encode("utf-8", "surrogatepass")).hexdigest(), line) for n, line in enumerate(lines[1:], 1)]
    return rows, (first["entries"], first["head"] if rows or first["entries"] else EMPTY), None


def is_analyst(name):
    """As isAnalyst in the package: short, visible, without spaces at its ends."""
    if not isinstance(name, str) or not 0 < len(name.encode("utf-16-le", "surrogatepass")) <= 200 or name != name.strip():
        return False
    return not any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co") for sign in name)


def entry_of(text):
    """The entry of a canonical text."""
    try:
        entry = parse(text)
        if canonical(entry) == text and entry["format"] == "winnow-ledger/1" and entry["kind"] == "key":
            keys = [entry[name] for name in ("adds", "revokes") if name in entry]
            if keys and all(isinstance(key, str) for key in keys) and len(set(keys)) == len(keys) and isinstance(entry["time"], str):
                return entry
            return None
        if canonical(entry) == text and entry["format"] == "winnow-ledger/1" and entry["kind"] in ("release", "budget", "reservation"):
            release = entry.get("release", entry)
            is_charge = entry["kind"] != "budget" and isinstance(release["id"], str) and is_analyst(release.get("analyst", "-"))
            if isinstance(release["dataset"], str) and (entry["kind"] == "budget" or is_charge):
                return entry
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return None


def check_chain(rows, head):
    """The entries, if the chain is whole."""
    entries, before = [], (0, EMPTY)
    for sequence, digest, text in rows:
        entry = entry_of(text)
        if entry is None or hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() != digest:
            raise Wrong(f"Entry {sequence} was changed: its hash does not fit, or it is not an entry.")
        if entry["sequence"] != sequence:
            raise Wrong(f"Entry {sequence} was moved: it was written as entry {entry['sequence']:.0f}.")
        if sequence != before[0] + 1:
            raise Wrong(f"Entry {before[0] + 1} is missing: entry {before[0]} is followed by {sequence}.")
        if entry["previous"] != before[1]:
            raise Wrong(f"Entry {before[0]} was changed: entry {sequence} was written after another.")
        entries.append(entry)
        before = (sequence, digest)
    if head != before:
        raise Wrong(f"The ledger was cut off: its head is not entry {before[0]}, the last that it has.")
    return entries


SCHEMAS = ("winnow-release/2", "winnow-release/3", "winnow-labels/1", "winnow-watch/1", "winnow-tune/1")


def check_entries(entries):
    """Charges and totals, in the order of the log, the releases whose price isn't known here, and the reservations that are open."""
    accounts, places, unpriced, looks, reserved, opened = {}, {}, [], {}, {}, {}
    keys = []
    for entry in entries:
        release, number = entry.get("release", entry), int(entry["sequence"])
        if entry["kind"] == "key":
            check_key_change(entry, keys)
            keys.append(entry)
            places[f"\1{number:016}"] = number
            continue
        account = accounts.setdefault(release["dataset"], Account())
        try:
            if entry["kind"] == "release":
                if release["id"] in places:
                    raise Wrong("its id is that of another release")
                check_bits(release, reserved.get(release["id"]))
                opened.pop(release["id"], None)
                if release.get("schema") in SCHEMAS:
                    check_words(release)
                if release.get("schema") == "winnow-release/3":
                    check_groups(release, account)
                elif release.get("schema") == "winnow-watch/1":
                    check_look(release, looks)
                elif release.get("schema") == "winnow-tune/1":
                    check_choice(release)
                elif release.get("schema") in ("winnow-release/2", "winnow-labels/1"):
                    check_charge(release, account)
                else:
                    unpriced.append(number)
            if entry["kind"] == "reservation":
                reserved[release["id"]] = entry
                opened[release["id"]] = number
            account.enter(entry)
            account.check()
            if entry["kind"] == "budget":
                for share in [share for key, share in accounts.items() if isinstance(key, tuple) and key[0] == release["dataset"]]:
                    share.in_full()
            elif "analyst" in release:
                accounts.setdefault((release["dataset"], release["analyst"]), Account()).enter(entry)
        except Wrong as wrong:
            raise Wrong(f"Entry {number}, about {quoted(release['dataset'])}: {wrong}" + ("" if str(wrong).endswith(".") else "."))
        except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError, OverflowError):
            raise Wrong(f"Entry {number}, about {quoted(release['dataset'])}: it does not have the parameters of its mechanism.")
        if entry["kind"] != "budget":
            places.setdefault(release["id"] if entry["kind"] == "release" else "\0" + release["id"], number)
        if entry["kind"] == "release" and "analyst" in release:
            places[release["analyst"], f"{number:016}"] = number
    return accounts, places, unpriced, list(opened.values())


def check_key_change(entry, before):
    """Raises if the change breaks a rule: a revoked key never comes back, only one in force is revoked, and all have one name."""
    added, revoked = [one.get("adds") for one in before], [one.get("revokes") for one in before]
    owner = next((key for key in added if key is not None), entry.get("adds", "")).split("+")[0]
    adds, revokes = entry.get("adds"), entry.get("revokes")
    wrong = adds is not None and (adds in revoked or adds.split("+")[0] != owner)
    if wrong or revokes is not None and (revokes not in added or revokes in revoked):
        raise Wrong(f"Entry {entry['sequence']:.0f} changes the keys wrongly: a revoked key never comes back, only one in force is revoked, and all have one name.")


def check_bits(release, reservation):
    """Raises unless a release is drawn with the bits that were reserved for it, and with those only."""
    bits, before = release.get("bits"), (reservation or {}).get("bits")
    commitment = lambda part: part and (part["generator"], part["seed"])
    if commitment(bits) != commitment(before):
        raise Wrong("it isn't drawn with the bits that were reserved for it" if before else "it commits to bits, and no reservation before it does")


def still_open(entries):
    """What is said of reservations whose release was never recorded."""
    one, named = len(entries) == 1, ", ".join(map(str, entries[:10])) + (", …" if len(entries) > 10 else "")
    return f"{'1 reservation is' if one else f'{len(entries)} reservations are'} open ({'entry' if one else 'entries'} {named}): each is a run that ended early, or an answer that was drawn and not recorded."


def not_priced(entries):
    """What is said of releases that were not priced."""
    one, named = len(entries) == 1, ", ".join(map(str, entries[:10])) + (", …" if len(entries) > 10 else "")
    count, whose = ("1 release was", "its document isn't one") if one else (f"{len(entries)} releases were", "their documents aren't ones")
    return f"{count} not priced, because {whose} that Winnow knows ({'entry' if one else 'entries'} {named})."


def exactly(loss):
    """As it is written, without the words beside the numbers."""
    loss_of(loss)
    return {name: value for name, value in loss.items() if name != "readable"}


def check_kept(accounts, places, kept):
    try:
        same = kept[0] == {name: account.summary() for name, account in accounts.items()}
    except (Wrong, TypeError, AttributeError):
        same = False
    if not same or kept[1] != places:
        raise Wrong("The stored totals differ from the totals of the entries.")


def placed(release):
    """Takes the place in the ledger out of a release. It has no other fields, because no hash covers it."""
    place = release.pop("ledger")
    if not {"sequence", "head"} <= set(place) <= {"sequence", "head", "witnessed"}:
        raise ValueError
    return place


def check_release(path, rows, entries):
    try:
        release = parse(path.read_bytes().decode("utf-8"))
        place = placed(release)
        sequence, name = whole(place["sequence"]), quoted(release["id"])
    except (Wrong, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Wrong(f"The file {quoted(path.name)} isn't a release with its place in a ledger.")
    if not 1 <= sequence <= len(rows):
        raise Wrong(f"Release {name} was recorded as entry {sequence}, but the ledger ends at entry {len(rows)}: it was rolled back, or is another one.")
    if rows[sequence - 1][1] != place["head"]:
        raise Wrong(f"Release {name} was recorded as another entry {sequence}: the ledger was rolled back, or is another one.")
    public = lambda one: {field: value for field, value in (one or {}).items() if field != "sealed"}  # a sealed state stays in the ledger
    if canonical(public(entries[sequence - 1].get("release"))) != canonical(public(release)):
        raise Wrong(f"Release {name} does not say what the ledger recorded as entry {sequence}.")
    if "witnessed" in place:
        check_own_head(name, place["witnessed"], rows, entries)
    return sequence


def keys_after(entries, size):
    """The keys that sign heads of the first `size` entries."""
    keys = []
    for entry in entries[:size]:
        if entry["kind"] == "key":
            keys = [key for key in keys + [entry.get("adds")] if key not in (None, entry.get("revokes"))]
    return keys


def check_own_head(name, witnessed, rows, entries):
    """Raises unless the head that a release carries is one of this ledger, signed by a key that was in force then."""
    try:
        text, signatures = read_note(witnessed["note"])
        size, top = read_head(text)[1:]
        known = [read_key(key) for key in keys_after(entries, size)]
        mine = [(key, data) for owner, digits, data in signatures for key in known if key[0] == owner and key_id(*key) == digits]
        signed = any(is_right(text, key[1], key[2], data) for key, data in mine)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Wrong(f"The head that release {name} carries isn't one.")
    if not signed:
        raise Wrong(f"The head that release {name} carries isn't signed by a key that the ledger had in force after entry {size}.")
    if size > len(rows) or node_over([row[1] for row in rows[:size]]) != top:
        raise Wrong(f"The head that release {name} carries is of other entries: the ledger was rolled back, or there are two of this name.")


# --- A proof that a release is in a ledger, without the ledger (RFC 9162, section 2.1.3.2).


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def top_over(sequence, size, leaf, path):
    """The node over `size` entries that a path leads to; None if it has another length than it must."""
    at, last, node = sequence - 1, size - 1, sha256(b"\0", bytes.fromhex(leaf))
    for beside in map(bytes.fromhex, path):
        if last == 0:
            return None
        if at & 1 or at == last:
            node = sha256(b"\1", beside, node)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            node = sha256(b"\1", node, beside)
        at, last = at >> 1, last >> 1
    return None if last else node


def node_over(hashes):
    """The node over these entries (RFC 6962, section 2.1), as full trees of shrinking size from left to right."""
    whole_trees = []
    for number, leaf in enumerate(hashes):
        node = sha256(b"\0", bytes.fromhex(leaf))
        while number & 1:
            node, number = sha256(b"\1", whole_trees.pop(), node), number >> 1
        whole_trees.append(node)
    node = whole_trees.pop() if whole_trees else sha256()
    while whole_trees:
        node = sha256(b"\1", whole_trees.pop(), node)
    return node


def check_proof(path, release_path, root):
    """The size and the root of the tree that the release is in."""
    try:
        release = parse(release_path.read_bytes().decode("utf-8"))
        place = placed(release)
        number, name = whole(place["sequence"]), quoted(release["id"])
    except (Wrong, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Wrong(f"The file {quoted(release_path.name)} isn't a release with its place in a ledger.")
    try:
        proof = parse(path.read_bytes().decode("utf-8"))
        sequence, size = whole(proof["sequence"]), whole(proof["size"])
        nodes = [proof["hash"], proof["previous"], proof["root"], *proof["path"]]
        if proof["schema"] != "winnow-inclusion/1" or sequence > size or not all(re.fullmatch(r"[0-9a-f]{64}", node) for node in nodes):
            raise ValueError
    except (Wrong, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Wrong(f"The file {quoted(path.name)} isn't a proof.")
    if (proof["id"], sequence, proof["hash"]) != (release["id"], number, place["head"]):
        raise Wrong(f"The proof is not about release {name} as entry {number}, or is about another ledger.")
    entry = {"format": "winnow-ledger/1", "kind": "release", "previous": proof["previous"], "release": release, "sequence": float(sequence)}
    if sha256(canonical(entry).encode("utf-8", "surrogatepass")).hex() != proof["hash"]:
        raise Wrong(f"Release {name} does not say what the ledger recorded as entry {number}.")
    if release.get("schema") in SCHEMAS:
        check_own_words(release)
    node = top_over(sequence, size, proof["hash"], proof["path"])
    if node is None or sha256(b"\2", size.to_bytes(8, "big"), node).hex() != proof["root"]:  # the root stands for the size too
        raise Wrong(f"The proof does not lead from entry {number} to the root of a ledger with {size} entries.")
    if root is not None and root != proof["root"]:
        raise Wrong("The proof leads to another root.")
    return size, proof["root"]


def prove(words):
    if not 2 <= len(words) <= 3:
        print(__doc__.strip())
        return 2
    try:
        size, root = check_proof(Path(words[0]), Path(words[1]), words[2] if len(words) > 2 else None)
    except OSError:
        print("The proof or the release cannot be read.")
        return 2
    except Wrong as wrong:
        print(wrong)
        return 1
    print(f"All is well: the release is in the ledger with {size} entries and the root {root}.")
    return 0


# --- Ed25519 (RFC 8032, section 5.1): only verification, so nothing here is secret. A point is (X, Y, Z, T) with x = X/Z, y = Y/Z.

Q = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, Q - 2, Q) % Q


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % Q, (p[1] + p[0]) * (q[1] + q[0]) % Q
    c, d = 2 * p[3] * q[3] * CURVE % Q, 2 * p[2] * q[2] % Q
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % Q, g * h % Q, f * g % Q, e * h % Q


def multiple(n, p):
    total = (0, 1, 1, 0)
    while n:
        if n & 1:
            total = add(total, p)
        p, n = add(p, p), n >> 1
    return total


def point(data):
    """The point of 32 bytes; None if there is none."""
    y, sign = int.from_bytes(data, "little") & (1 << 255) - 1, data[31] >> 7
    if y >= Q:
        return None
    square = (y * y - 1) * pow(CURVE * y * y + 1, Q - 2, Q) % Q
    x = pow(square, (Q + 3) // 8, Q)
    if (x * x - square) % Q:
        x = x * pow(2, (Q - 1) // 4, Q) % Q
    if (x * x - square) % Q or x == 0 and sign:
        return None
    x = Q - x if x & 1 != sign else x
    return x, y, 1, x * y % Q


BASE = point((4 * pow(5, Q - 2, Q) % Q).to_bytes(32, "little"))


def is_signed(key, message, signature):
    """Whether S·B = R + k·A, compared with the bytes of R as they were sent."""
    if len(key) != 32 or len(signature) != 64:
        return False
    owner, s = point(key), int.from_bytes(signature[32:], "little")
    if owner is None or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    minus = (Q - owner[0], owner[1], 1, Q - owner[3])
    x, y, z, _ = add(multiple(s, BASE), multiple(k, minus))
    inverse = pow(z, Q - 2, Q)
    x, y = x * inverse % Q, y * inverse % Q
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]


# --- Signed heads (C2SP signed-note, tlog-checkpoint, tlog-cosignature) and the policy of whom to believe (tlog-policy).


def unbase64(text):
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError
    return data


def key_id(name, kind, key):
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + key).digest()[:4]


def read_key(text):
    """The name, the type and the 32 bytes of a public key."""
    name, digits, data = re.fullmatch(r"([^+\s]+)\+([0-9a-f]{8})\+(.+)", text).groups()
    data = unbase64(data)
    if len(data) != 33 or data[0] not in (1, 4) or key_id(name, data[0], data[1:]).hex() != digits:
        raise ValueError
    return name, data[0], data[1:]


def read_policy(path):
    """The keys of ledgers, the witnesses by their names in the policy, the groups, and the name of the quorum."""
    logs, witnesses, groups, quorum, used = [], {}, {}, None, set()
    for number, line in enumerate(path.read_bytes().decode("utf-8").split("\n"), 1):
        kind, *words = line.replace("\t", " ").split(" ") if line.strip(" \t") else ["#"]
        words = [word for word in [kind, *words] if word]
        kind, words = words[0], words[1:]
        try:
            is_new = words and words[0] not in witnesses and words[0] not in groups and words[0] != "none"
            if kind.startswith("#"):
                continue
            if kind == "log" and len(words) in (1, 2):
                key = read_key(words[0])
                if key[1] != 1 or key[2] in [known[2] for known in logs]:
                    raise ValueError
                logs.append(key)
            elif kind == "witness" and len(words) in (2, 3) and is_new:
                name, _, key = read_key(words[1])
                if key in [known[1] for known in witnesses.values()]:
                    raise ValueError
                witnesses[words[0]] = (name, key)
            elif kind == "group" and len(words) > 2 and is_new:
                members = words[2:]
                least = {"any": 1, "all": len(members)}.get(words[1]) or int(re.fullmatch(r"[1-9][0-9]{0,3}", words[1])[0])
                known = all(member in witnesses or member in groups for member in members)
                if not known or used & set(members) or len(set(members)) < len(members) or least > len(members):
                    raise ValueError
                used |= set(members)
                groups[words[0]] = (least, members)
            elif kind == "quorum" and len(words) == 1 and quorum is None and (words[0] in witnesses or words[0] in groups or words[0] == "none"):
                quorum = words[0]
            else:
                raise ValueError
        except (ValueError, TypeError, AttributeError):
            raise Wrong(f"Line {number} of the policy can't be read.")
    if quorum is None:
        raise Wrong("The policy doesn't say which quorum is enough.")
    return logs, witnesses, groups, quorum


def read_note(note):
    """The text of a signed note, and its signatures as (name, id, bytes)."""
    text, end, lines = note.rpartition("\n\n")
    if not end or not text or not lines.endswith("\n") or any(ord(sign) < 32 and sign != "\n" for sign in note):
        raise ValueError
    signatures = []
    for line in lines[:-1].split("\n"):
        name, data = re.fullmatch(r"\u2014 ([^+\s]+) (\S+)", line).groups()
        data = unbase64(data)
        if len(data) < 5:
            raise ValueError
        signatures.append((name, data[:4], data[4:]))
    return text + "\n", signatures


def read_head(text):
    """The name of a ledger, its number of entries and the node over them. Lines after the third mean nothing."""
    origin, size, top, *more = text[:-1].split("\n")
    top = unbase64(top)
    if not re.fullmatch(r"0|[1-9][0-9]{0,15}", size) or len(top) != 32 or not origin or "" in more:
        raise ValueError
    return origin, int(size), top


def is_right(text, kind, key, data):
    """Whether this is the signature of a head, or a cosignature of it."""
    if kind == 1:
        return is_signed(key, text.encode(), data)
    time = int.from_bytes(data[:8], "big")
    return len(data) == 72 and is_signed(key, f"cosignature/v1\ntime {time}\n{text}".encode(), data[8:])


def check_head(release, policy, wanted):
    """What was checked, as sentences, of the head that a release carries."""
    logs, witnesses, groups, quorum = policy
    place = placed(release)
    sequence, name = whole(place["sequence"]), quoted(release["id"])
    head = place.get("witnessed")
    if head is None:
        raise Wrong(f"Release {name} carries no signed head of its ledger.")
    if set(head) != {"previous", "path", "note"} or not all(re.fullmatch(r"[0-9a-f]{64}", node) for node in [head["previous"], *head["path"]]):
        raise ValueError
    entry = {"format": "winnow-ledger/1", "kind": "release", "previous": head["previous"], "release": release, "sequence": float(sequence)}
    if sha256(canonical(entry).encode("utf-8", "surrogatepass")).hex() != place["head"]:
        raise Wrong(f"Release {name} does not say what its ledger recorded as entry {sequence}.")
    if release.get("schema") in SCHEMAS:
        check_own_words(release)
    text, signatures = read_note(head["note"])
    origin, size, top = read_head(text)
    known = [key for key in logs if key[0] == origin] + [(owner, 4, key) for owner, key in witnesses.values()]
    signed, times = False, {}
    for owner, digits, data in signatures:
        key = next((one for one in known if one[0] == owner and key_id(*one) == digits), None)
        if key is None or key[2] in times:
            continue
        if not is_right(text, key[1], key[2], data):
            raise Wrong(f"The signature of {quoted(owner)} on the head is wrong.")
        if key[1] == 1:
            signed = True
        else:
            times[key[2]] = (owner, int.from_bytes(data[:8], "big"))
    if not signed:
        raise Wrong(f"No key of the policy for {quoted(origin)} has signed the head.")
    if sequence > size or top_over(sequence, size, place["head"], head["path"]) != top:
        raise Wrong(f"The path does not lead from entry {sequence} to the signed head of {size} entries.")

    def holds(one):
        if one in witnesses:
            return witnesses[one][1] in times
        least, members = groups[one]
        return sum(map(holds, members)) >= least

    enough = len(times) >= wanted if wanted is not None else quorum == "none" or holds(quorum)
    if not enough:
        raise Wrong(f"{len(times)} of the policy's witnesses have cosigned the head, and that isn't enough.")
    said = [f"All is well: the release is entry {sequence} of the ledger {quoted(origin)}, which had {size} entries when it signed the head."]
    epoch = datetime.datetime(1970, 1, 1)
    for owner, time in times.values():
        when = (epoch + datetime.timedelta(seconds=time)).isoformat() + "Z" if time < 10**11 else f"{time} s after 1970"
        said.append(f"{owner} saw that head at {when}, and nothing that contradicts it.")
    return said if times else said + ["No witness has seen it: the ledger may show others something else."]


def witnessed(words):
    if not 2 <= len(words) <= 3 or len(words) == 3 and not re.fullmatch(r"[0-9]{1,4}", words[2]):
        print(__doc__.strip())
        return 2
    try:
        policy = read_policy(Path(words[0]))
        release = parse(Path(words[1]).read_bytes().decode("utf-8"))
        print("\n".join(check_head(release, policy, int(words[2]) if len(words) > 2 else None)))
        return 0
    except OSError:
        print("The policy or the release cannot be read.")
        return 2
    except Wrong as wrong:
        print(wrong)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        print(f"The file {quoted(Path(words[1]).name)} isn't a release with a signed head.")
    return 1


def head_in(path):
    """The head in a file: a note, or the one that a release carries."""
    text = path.read_bytes().decode("utf-8")
    return read_head(read_note(parse(text)["ledger"]["witnessed"]["note"] if text.lstrip().startswith("{") else text)[0])


def tops_of(first, second, path):
    """The nodes over the first `first` entries and over all `second` that a proof leads to (RFC 9162, section 2.1.4.2)."""
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = path[0]
    for beside in path[1:]:
        if last == 0:
            raise ValueError
        if at & 1 or at == last:
            before, after = sha256(b"\1", beside, before), sha256(b"\1", beside, after)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            after = sha256(b"\1", after, beside)
        at, last = at >> 1, last >> 1
    if last:
        raise ValueError
    return before, after


def is_continued(proof, earlier, later):
    """Whether a proof as a ledger gives it leads from one head to the other; a root stands for a size and a node."""
    (owner, first, top), (other, second, node) = earlier, later
    root = lambda size, over: {"size": float(size), "root": sha256(b"\2", size.to_bytes(8, "big"), over).hex()}
    if owner != other or not 1 <= first <= second or proof["first"] != root(first, top) or proof["second"] != root(second, node):
        return False
    if first == second:
        return proof["path"] == []
    if not all(re.fullmatch(r"[0-9a-f]{64}", beside) for beside in proof["path"]):
        raise ValueError
    return tops_of(first, second, [bytes.fromhex(beside) for beside in proof["path"]]) == (top, node)


def grown(words):
    if len(words) != 3:
        print(__doc__.strip())
        return 2
    try:
        proof = parse(Path(words[0]).read_bytes().decode("utf-8"))
        earlier, later = map(head_in, map(Path, words[1:]))
        if is_continued(proof, earlier, later):
            print(f"All is well: the ledger {quoted(later[0])} with {later[1]} entries has all {earlier[1]} of the earlier head, unchanged and in the same order.")
            return 0
        print("The proof doesn't show that the later head has all entries of the earlier one.")
    except OSError:
        print("The proof or a head cannot be read.")
        return 2
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        print("One of the files isn't a proof of consistency, a signed head, or a release that carries one; or the proof has another length than it must.")
    return 1


def main(words):
    if words[:1] == ["--consistency"]:
        return grown(words[1:])
    if words[:1] == ["--proof"]:
        return prove(words[1:])
    if words[:1] == ["--policy"]:
        return witnessed(words[1:])
    if not words or words[0].startswith("-"):
        print(__doc__.strip())
        return 2
    try:
        rows, head, kept = read_ledger(Path(words[0]))
    except (OSError, ValueError, sqlite3.Error, StopIteration):
        print(f"The ledger {quoted(words[0])} cannot be read; with SQLite before 3.37 (this is {sqlite3.sqlite_version}), export it first.")
        return 2
    findings, entries, unpriced, opened = [], None, [], []
    try:
        entries = check_chain(rows, head)
        accounts, places, unpriced, opened = check_entries(entries)
        if kept is not None:
            check_kept(accounts, places, kept)
    except Wrong as wrong:
        findings.append(str(wrong))
    for path in words[1:] if entries is not None else []:
        try:
            sequence = check_release(Path(path), rows, entries)
            if sequence in unpriced:
                findings.append(not_priced([sequence]))
        except OSError:
            findings.append(f"The release {quoted(path)} cannot be read.")
        except Wrong as wrong:
            findings.append(str(wrong))
    said = lambda: f"{len(rows)} entries, {sum(isinstance(name, str) for name in accounts)} data sets, {len(words) - 1} releases checked; head {head[1]}."
    well = lambda: f"{not_priced(unpriced)} All else is well: {said()}" if unpriced else f"All is well: {said()}"
    print("\n".join(findings) or well() + (f"\n{still_open(opened)}" if opened else ""))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
