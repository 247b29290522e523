"""A program as a user writes it, for mypy and pyright: every type of an answer is known."""

from fractions import Fraction

import winnow_dp as winnow
from winnow_dp.sample import discrete_laplace
from winnow_dp.testing import seeded_entropy

answer: winnow.TopK = winnow.top_k({"a": 5, "b": 3}, k=1, epsilon="1/2", entropy=seeded_entropy(1))
position: object = answer.winners[0].candidate
gap: Fraction | None = winnow.top_k_with_gap([1, 2, 3], k=1, epsilon=1, resolution=0.1).winners[0].gap
loss: winnow.Loss = winnow.compose(answer.privacy, winnow.pure(Fraction(1, 3)))
bound: Fraction | float | None = winnow.make_noisy_top_k(k=1, measure="pure", scale=1).map(1).epsilon
noise: int = discrete_laplace("3/2")
budget = winnow.Budget(winnow.zcdp(1))
left: winnow.Loss = budget.remaining
median: Fraction = winnow.quantile([1, 2, 3], quantile="1/2", lower=0, upper=9, rho="0.1").value
