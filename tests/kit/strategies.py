"""Hypothesis strategies of JSON, shared by the properties."""

import json
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

# Slow machines are slow: no property depends on how long an example takes. Explaining a failure takes longer than
# finding and shrinking it, and the shrunken ledger explains itself.
PROPERTY = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)

_KEYS = st.sampled_from(
    ["__proto__", "required", "enum", "a", "b", "10", "9", "\u00e9", "\uff61", "\U0001f600", "\\", '"']
)
# Lone surrogates are left to hypothesis' own alphabet of every code point.
TEXTS = st.text(st.characters(codec=None, exclude_categories=()), max_size=8)
_NUMBERS = (
    st.integers(-10, 10)
    | st.integers()
    | st.integers(-(2**54), 2**54)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([-0.0, 1e21, 1e-7, 2.0**53, 2**53 + 1, 2**63, 2**64, 10**30])
)
_SCALARS = st.none() | st.booleans() | _NUMBERS | TEXTS


def _containers(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(children, max_size=4) | st.dictionaries(_KEYS | TEXTS, children, max_size=4)


JSON = st.recursive(_SCALARS, _containers, max_leaves=12)
OBJECTS = st.dictionaries(_KEYS | TEXTS, JSON, max_size=3)


@st.composite
def json_texts(draw: st.DrawFn) -> bytes:
    """Draw JSON text in any way of writing it."""
    separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " :\r")]))
    text = json.dumps(draw(JSON), ensure_ascii=draw(st.booleans()), separators=separators)
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a surrogate pair can only be written as an escape
        return json.dumps(json.loads(text), separators=separators).encode()
