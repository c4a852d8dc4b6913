"""What Streamlit works out anew at every run, with the same result for less: a third of all work with fifty users (seen with 1.67).

The theme: each run's first message carries it, and for each of its six parts several hundred options were gone through. The state: a box
that looks up its own value was given a copy of all values. Places: each part of a page (st.fragment) keeps and takes the stack of
containers around it, and each of these was copied with all that are around it in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from streamlit import __version__, config
from streamlit.cursor import Cursor
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime import app_session
from streamlit.runtime.state import SafeSessionState, SessionState

_SEEN_WITH = "1.67."  # they only save time, and what they stand in for may mean more in another version
_fill: Any = getattr(app_session, "_populate_theme_msg", None)
_all_values: Any = getattr(SafeSessionState, "filtered_state", None)
_value: Any = getattr(SessionState, "__getitem__", None)
_copy: Any = DeltaGenerator.__dict__.get("__deepcopy__")
_kept: dict[str, tuple[object, Any]] = {}  # part of the theme -> (the options that it is of, the message)


def install() -> None:
    """Take the shortcuts in this process, with the Streamlit that they are made for; any other is left as it is."""
    if not __version__.startswith(_SEEN_WITH):
        return
    if _fill is not None and hasattr(config, "_config_options"):
        app_session._populate_theme_msg = _fill_from_kept  # type: ignore[assignment]
    if _all_values is not None and "_lock" in SafeSessionState.__annotations__:
        SafeSessionState.filtered_state = property(_Values)  # type: ignore[method-assign,assignment]
    if {"_new_session_state", "_old_state", "_key_id_mapper"} <= SessionState.__annotations__.keys():
        SessionState.__getitem__ = _value_at_once  # type: ignore[method-assign]
    if _copy is not None and hasattr(DeltaGenerator, "_cursor"):
        DeltaGenerator.__deepcopy__ = _copied_once  # type: ignore[method-assign,assignment]
        Cursor.__deepcopy__ = _cursor_copied  # type: ignore[attr-defined]


def _fill_from_kept(message: Any, section: str = "theme") -> None:
    """Fill in a part of the theme. Options that are read anew are another object, so that a changed theme is seen."""
    options = config._config_options
    of, part = _kept.get(section, (None, None))
    if part is None or of is not options:
        part = type(message)()
        _fill(part, section)
        _kept[section] = options, part
    if part.ByteSize():
        message.MergeFrom(part)


class _Values(Mapping[str, Any]):
    """All values of a session that have a name, each looked up when it is asked for."""

    def __init__(self, safe: SafeSessionState) -> None:
        self._safe = safe

    def __getitem__(self, key: str) -> Any:
        if key.startswith("$$"):  # Streamlit's own names, and those of widgets without one
            raise KeyError(key)
        with self._safe._lock:
            return self._safe._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(_all_values.fget(self._safe))

    def __len__(self) -> int:
        return len(_all_values.fget(self._safe))

    def __repr__(self) -> str:
        return repr(dict(self))


def _value_at_once(self: SessionState, key: str) -> Any:
    """Return a value that the page has put there; a widget's as Streamlit does it."""
    if not key.startswith("$$") and self._key_id_mapper.get_id_from_key(key) is None:
        for values in (self._new_session_state, self._old_state):
            if key in values:
                return values[key]
    return _value(self, key)


def _copied_once(self: DeltaGenerator, memo: dict[int, Any]) -> DeltaGenerator:
    """Copy a container's place, and what is around it once for the whole stack."""
    copied = DeltaGenerator(
        root_container=self._root_container,
        cursor=deepcopy(self._cursor, memo),
        parent=deepcopy(self._parent, memo),
        block_type=self._block_type,
    )
    copied._form_data = deepcopy(self._form_data, memo)
    copied._creating_fragment_id = self._creating_fragment_id
    return copied


def _cursor_copied(self: Cursor, memo: dict[int, Any]) -> Cursor:
    """Copy a place on the page: figures that do not change, and rarely some passing elements."""
    copied = object.__new__(type(self))
    copied.__dict__.update(self.__dict__)
    passing = self._transient_elements
    copied._transient_elements = deepcopy(passing, memo) if len(passing) else type(passing)()
    return copied
