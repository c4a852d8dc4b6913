"""A value is worked out at the first look, once, and nobody waits for that of another object."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from curator_core.first_look import at_first_look


@dataclass(frozen=True)
class Slow:
    may_end: threading.Event
    begun: threading.Event = field(default_factory=threading.Event)
    looks: list[int] = field(default_factory=list)

    @at_first_look
    def value(self) -> int:
        """What takes a while."""
        self.looks.append(1)
        self.begun.set()
        assert self.may_end.wait(60)
        return len(self.looks)


def test_the_first_look_works_a_value_out_and_the_next_finds_it() -> None:
    go = threading.Event()
    go.set()
    one = Slow(go)
    assert not one.looks
    assert (one.value, one.value, one.looks) == (1, 1, [1])


def test_while_one_object_works_its_value_out_another_does_not_wait() -> None:
    waiting, ready = Slow(threading.Event()), Slow(threading.Event())
    ready.may_end.set()
    apart = threading.Thread(target=lambda: waiting.value)
    apart.start()
    assert waiting.begun.wait(60)
    quick = threading.Thread(target=lambda: ready.value, daemon=True)
    quick.start()
    quick.join(10)
    did_not_wait = not quick.is_alive()
    waiting.may_end.set()
    apart.join()
    assert did_not_wait
