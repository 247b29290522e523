"""Winnow: differentially private selection, exact to the last bit. The same engine as on npm, run by Node.

    import winnow_dp as winnow

    winnow.top_k({"Alster": 90, "Bille": 70, "Elbe": 8}, k=2, epsilon=1).winners
"""

from . import _generated
from ._errors import WinnowError
from ._generated import *  # noqa: F403
from ._losses import Loss, Measure
from ._plan import Estimate, Plan, PlanLine, plan
from ._session import Account, AsyncSession, Group, Item, Look, NotForRelease, Price, Release, Session
from ._values import Counts, Extended, Numbers, Points, RationalLike, Scores

__version__ = "0.1.0"
__all__ = [
    "Account",
    "AsyncSession",
    "Counts",
    "Estimate",
    "Extended",
    "Group",
    "Item",
    "Look",
    "Loss",
    "Measure",
    "NotForRelease",
    "Numbers",
    "Plan",
    "PlanLine",
    "Points",
    "Price",
    "RationalLike",
    "Release",
    "Scores",
    "Session",
    "WinnowError",
    "plan",
]
__all__ += _generated.__all__
