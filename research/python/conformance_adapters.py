"""Other libraries behind the protocol of docs/guide/conformance.md: python3 conformance_adapters.py opendp|diffprivlib|pydp|autodp

Each takes the cases that its own functions offer and says of the others that they are unsupported. Nothing is computed here
that the library doesn't compute itself, except that scores and scales become the numbers that it takes.
"""

import json
import sys
from fractions import Fraction


class Unsupported(Exception):
    pass


def whole(scores):
    """Scores as integers, and the factor that they were multiplied by."""
    exact = [Fraction(score) for score in scores]
    factor = 1
    for score in exact:
        factor *= score.denominator
    return [int(score * factor) for score in exact], factor


def double(size):
    if Fraction(float(size)) != size:
        raise Unsupported(f"a scale of {size}, which is not a double")
    return float(size)


def opendp():
    import opendp.prelude as dp

    dp.enable_features("contrib")
    measures = {"exponential": dp.max_divergence(), "gumbel": dp.zero_concentrated_divergence()}
    losses = {"pure": dp.max_divergence(), "zcdp": dp.zero_concentrated_divergence()}

    def space(monotone=False):
        return dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64", monotonic=monotone)

    def top_k(request, k):
        given = request["parameters"]
        # With exponential noise, OpenDP repeats permute-and-flip without the winners before: it peels.
        if given["noise"] not in measures or (given["noise"], given.get("method")) == ("exponential", "one-shot"):
            raise Unsupported("this noise, or one shot of it for all ranks")
        scores, factor = whole(request["scores"])
        scale = double(Fraction(given["scale"]) * factor)
        measurement = dp.m.make_noisy_top_k(*space(), measures[given["noise"]], k, scale)
        return {"answers": [{"winners": measurement(scores)} for _ in range(request["runs"])]}

    def loss(request):
        given = request["parameters"]
        measurement = dp.m.make_noisy_top_k(
            *space(given["monotone"]), losses[given["measure"]], given["k"], double(Fraction(given["scale"]))
        )
        return {"loss": measurement.map(int(given["sensitivity"]))}

    def composition(request):
        given = request["parameters"]
        each = [with_loss(given["measure"], Fraction(size)) for size in given["losses"]]
        return {"loss": dp.c.make_composition(each).map(1)}

    def with_loss(measure, size):
        """A measurement of this loss: Laplace noise of scale 1/ε, or Gaussian noise of scale √(1/2ρ)."""
        space = dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")
        if measure == "pure":
            return dp.m.make_laplace(*space, scale=double(1 / size))
        return dp.m.make_gaussian(*space, scale=float(1 / (2 * size)) ** 0.5)

    def conversion(request):
        rho, delta = (float(Fraction(request["parameters"][name])) for name in ("rho", "delta"))
        gaussian = dp.m.make_gaussian(
            dp.atom_domain(T="f64", nan=False), dp.absolute_distance(T="f64"), scale=(1 / (2 * rho)) ** 0.5
        )
        return {"loss": dp.c.make_zCDP_to_approxDP(gaussian).map(1.0).epsilon(delta)}

    def rounds_of_bounded_range(request):
        given = request["parameters"]
        top_k = dp.m.make_noisy_top_k(*space(True), measures["gumbel"], given["rounds"], double(1 / Fraction(given["range"])))
        return {"loss": dp.c.make_zCDP_to_approxDP(top_k).map(1).delta(float(Fraction(given["epsilon"])))}

    return {
        "noisy-max": lambda request: top_k(request, 1),
        "top-k": lambda request: top_k(request, request["parameters"]["k"]),
        "bounded-range-to-approx": rounds_of_bounded_range,
        "noisy-top-k-loss": loss,
        "composition": composition,
        "zcdp-to-approx": conversion,
    }


def diffprivlib():
    from diffprivlib import BudgetAccountant
    from diffprivlib.mechanisms import Exponential, PermuteAndFlip

    kinds = {"exponential": PermuteAndFlip, "gumbel": Exponential}

    def noisy_max(request):
        given = request["parameters"]
        if given["noise"] not in kinds:
            raise Unsupported("this noise")
        # Weights there are e^(ε·score/2) for a sensitivity of 1: this ε has the scale that is asked for.
        epsilon = float(2 / Fraction(given["scale"]))
        utility = [float(Fraction(score)) for score in request["scores"]]
        mechanism = kinds[given["noise"]](epsilon=epsilon, sensitivity=1, utility=utility)
        return {"answers": [{"winners": [int(mechanism.randomise())]} for _ in range(request["runs"])]}

    def composition(request):
        given = request["parameters"]
        if given["measure"] != "pure":
            raise Unsupported("ρ")
        accountant = BudgetAccountant()
        for size in given["losses"]:
            accountant.spend(float(Fraction(size)), 0)
        return {"loss": accountant.total()[0]}

    def repeated(request):
        given = request["parameters"]
        accountant = BudgetAccountant(slack=float(given["delta"]))
        for _ in range(given["times"]):
            accountant.spend(float(Fraction(given["epsilon"])), 0)
        return {"loss": accountant.total()[0]}

    return {"noisy-max": noisy_max, "composition": composition, "pure-to-approx": repeated}


def pydp():
    """Google's library, as Python has it."""
    from pydp.algorithms.partition_selection import create_truncated_geometric_partition_strategy

    def select_partitions(request):
        given = request["parameters"]
        epsilon, delta = float(Fraction(given["epsilon"])), float(Fraction(given["delta"]))
        strategy = create_truncated_geometric_partition_strategy(epsilon, delta, given["maxItemsPerUser"])
        people = list(enumerate(map(int, request["scores"])))
        kept = ([name for name, count in people if strategy.should_keep(count)] for _ in range(request["runs"]))
        return {"answers": [{"winners": names} for names in kept]}

    return {"select-partitions": select_partitions}


def autodp():
    from autodp.mechanism_zoo import ExponentialMechanism
    from autodp.transformer_zoo import Composition

    def rounds_of_bounded_range(request):
        given = request["parameters"]
        each = ExponentialMechanism(eps=float(Fraction(given["range"])))
        return {"loss": float(Composition()([each], [given["rounds"]]).approx_delta(float(Fraction(given["epsilon"]))))}

    return {"bounded-range-to-approx": rounds_of_bounded_range}


def main(library):
    tasks = {"opendp": opendp, "diffprivlib": diffprivlib, "pydp": pydp, "autodp": autodp}[library]()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["task"] not in tasks:
                raise Unsupported(f"{library} has nothing like it")
            response = tasks[request["task"]](request)
        except Unsupported as why:
            response = {"unsupported": str(why)}
        print(json.dumps(response), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
