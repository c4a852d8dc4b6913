"""A value of an object that is worked out at the first look and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

_Value = TypeVar("_Value")


class at_first_look(Generic[_Value]):
    """As functools.cached_property, which in Python 3.11 has one lock for all objects: threads that answer questions would wait there."""

    def __init__(self, make: Callable[[Any], _Value]) -> None:
        self._make, self.__doc__ = make, make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, held: Any, owner: type) -> _Value:
        value = held.__dict__[self._name] = self._make(held)
        return value
