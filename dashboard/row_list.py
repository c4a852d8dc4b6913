"""A table whose cells stand for tools or terms: a click opens one, and the cell of the one that is open is marked."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
import streamlit as st

from dashboard import session

ROW_HEIGHT = 28
Opens = Callable[[int, str], str]  # what a click on a row, counted from 0, opens in a column
_Cell = tuple[int, str]


@dataclass(frozen=True, slots=True)
class _Mark:
    """What a list has marked. opened: what was open; cell: the one that was clicked for it; turn: counts the times it began anew."""

    opened: object = None
    cell: _Cell | None = None
    turn: int = 0


def row_list(
    name: str,
    frame: pd.DataFrame,
    opens: Opens,
    into: str,
    *,
    alt: str,
    columns: Mapping[str, Any],
    height: int | Literal["auto", "content"] = "auto",
) -> None:
    """Show a table in which a click on a cell puts what it stands for into a widget's value.

    name: of the table on its page. into: the key of that value, such as "tool"; what it holds is marked. A mark is also what lets Tab
    pass through: without one, the table selects its first cell.
    """
    mark: _Mark = session.value(f"{name}_mark") or _Mark()
    opened = session.value(into)
    if opened != mark.opened:  # in another way: Streamlit would not report a click on the cell that was clicked last
        mark = _Mark(opened, None, mark.turn + 1)
        session.put(f"{name}_mark", mark)
    key = _key(name, mark.turn, frame, opens)
    session.put(key, {"selection": {"rows": [], "columns": [], "cells": _marked(mark, frame, opens)}})
    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        on_select=_open_clicked(name, mark.turn, key, opens, into),
        selection_mode="single-cell",
        row_height=ROW_HEIGHT,
        height=height,
        column_config=dict(columns),
        alt=alt,
    )


def _key(name: str, turn: int, frame: pd.DataFrame, opens: Opens) -> str:
    """Name the widget by what its cells open, so that a click never counts for rows that came meanwhile."""
    said = "\n".join(opens(*cell) for cell in _cells(frame))
    return f"{name}_{turn}_{zlib.crc32(said.encode('utf-8', 'replace'))}"


def _cells(frame: pd.DataFrame) -> Iterator[_Cell]:
    """Give the cells, column by column."""
    return ((row, str(column)) for column in frame.columns for row in range(len(frame)))


def _marked(mark: _Mark, frame: pd.DataFrame, opens: Opens) -> list[_Cell]:
    """Return the cell to mark: the clicked one, else the first that opens what is open; none where no cell does."""
    if mark.opened is None:
        return []
    found = [cell for cell in _cells(frame) if opens(*cell) == mark.opened]
    return [mark.cell] if mark.cell in found else found[:1]


def _open_clicked(name: str, turn: int, key: str, opens: Opens, into: str) -> Callable[[], None]:
    def act() -> None:
        for row, column in session.value(key)["selection"]["cells"]:
            opened = opens(row, column)
            session.put(f"{name}_mark", _Mark(opened, (row, column), turn))
            session.put(into, opened)

    return act
