"""The people of a live class: newcomers, those who wait for the teacher, the way back for a lost phone."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from handcalc.classroom.folder import tickets
from handcalc.classroom.folder.folder_layout import REGISTER_FILE
from handcalc.classroom.folder.register import read_register
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.live.state.refusals import TooManyError
from handcalc.classroom.store.answer_store import AnswerStore, StoredClass
from handcalc.foundation.errors import HandcalcError, short

IN, WAITING, LEFT = "in", "waiting", "left"
NO_LEARNER_NUMBER = 0  # the number of no learner
CODE_TAKEN = "Somebody is already working with this code. Your teacher can let you in."
CLASS_CLOSED = "Your teacher has to let you in. Please wait."
MAX_WAITING = 5  # for one code: any further one is a joke, or a program
MAX_NICKNAME_LENGTH = 30  # letters
MAX_ACCENTS = 2  # accents above or below one letter
ACCENT_CATEGORY, UNSEEN_CATEGORIES = "M", ("C", "Z")  # categories of characters


@dataclass
class Learner:
    """A person who has joined, with the code of the sheet that they came with."""

    id: int
    nick: str
    token_hash: str
    state: str
    code: str


class People:
    """Everybody who has joined; changes are stored before they count."""

    def __init__(self, folder: ClassFolder, store: AnswerStore, kept: StoredClass) -> None:
        self.folder, self.store = folder, store
        self.holders: dict[str, int] = {seat.code: seat.learner for seat in kept.seats}
        self.by_id = {
            row.id: Learner(row.id, row.nick, row.token_hash, row.state, row.code) for row in kept.learners
        }
        self._by_hash = {one.token_hash: one for one in self.by_id.values()}

    def by_token(self, token: str) -> Learner | None:
        """The learner with this token; None for one who was sent away."""
        found = self._by_hash.get(_hash(token))
        return found if found and found.state != LEFT else None

    def holder(self, code: str) -> Learner | None:
        """The learner who works on a sheet, even if away just now."""
        return self.by_id.get(self.holders.get(code, NO_LEARNER_NUMBER))

    @property
    def waiting(self) -> list[Learner]:
        """The learners who wait for the teacher's word, the first one first."""
        return [one for one in self.by_id.values() if one.state == WAITING]

    def learner(self, number: object) -> Learner:
        """A learner by number. Raises HandcalcError where there is none."""
        found = self.by_id.get(number) if type(number) is int else None
        if found is None:
            raise HandcalcError(f"There is no learner {short(number)} in this class.")
        return found

    def sheets(self, code: str) -> list[str]:
        """The codes of all sheets of the student who has this one; none, if the register has lost it."""
        entry = self.folder.register.by_code.get(code)
        return [one.code for one in self.folder.register.students[entry.number]] if entry else []

    async def join(
        self, code: str, nick: str, token: str, at: float, *, is_closed: bool
    ) -> tuple[str, Learner]:
        """Let somebody in with a code of the class, or let them wait; returns their token, too.

        A sheet that was released goes on where it was. Raises HandcalcError for a code not of this class.
        """
        known, nick, token = self._known(code), clean_nickname(nick), token or secrets.token_hex(16)
        if own := self._by_hash.get(_hash(token)):
            await self._again(own, is_closed=is_closed)
            return token, own
        holder = self.holder(known)
        if holder and holder.state == LEFT and not is_closed:
            await self._take_over(holder, nick, _hash(token))
            return token, holder
        is_free = known not in self.holders and not is_closed
        if not is_free and sum(one.code == known for one in self.waiting) >= MAX_WAITING:
            raise TooManyError(
                f"Several people are already waiting to be let in with {known}; ask your teacher.", 60
            )
        sheets = self.sheets(known) if is_free else []
        with self._reserved(sheets):
            new = Learner(0, nick, _hash(token), IN if is_free else WAITING, known)
            new.id = await self.store.add_learner(nick, new.token_hash, new.state, known, sheets, at)
            self.holders.update(dict.fromkeys(sheets, new.id))
        self.by_id[new.id] = self._by_hash[new.token_hash] = new
        return token, new

    async def wait_again(self, former: Learner, nick: str) -> tuple[str, Learner]:
        """Let a learner whose seat was emptied wait to get it back, with everything typed there."""
        token = secrets.token_hex(16)
        await self._take_over(former, clean_nickname(nick), _hash(token), state=WAITING)
        return token, former

    async def give_back(self, learner: Learner) -> None:
        """Give their sheets back to a learner whose seat was emptied, as if it had not been."""
        await self._let_in(learner)

    def why_waiting(self, learner: Learner) -> str:
        """The sentence for a learner who waits; empty for those who are in."""
        if learner.state != WAITING:
            return ""
        return CODE_TAKEN if self.holders.get(learner.code, learner.id) != learner.id else CLASS_CLOSED

    async def approve(self, newcomer: Learner) -> Learner:
        """Let somebody in: to a free sheet, or to go on with one in place of its last holder.

        Returns who they are now. Raises HandcalcError where they do not wait.
        """
        if newcomer.state != WAITING:
            raise HandcalcError(f"{newcomer.nick or newcomer.code} is not waiting to be let in.")
        holder = self.holder(newcomer.code)
        if holder is None or holder is newcomer:
            await self._let_in(newcomer)
            return newcomer
        await self._take_over(holder, newcomer.nick, newcomer.token_hash, newcomer.id)
        self.by_id.pop(newcomer.id, None)
        return holder

    async def leave(self, learner: Learner) -> None:
        """Send a learner away; their sheet waits for the next learner with its code."""
        await self.store.change_learner(learner.id, state=LEFT)
        learner.state = LEFT

    async def vacate(self, learner: Learner) -> None:
        """Send a learner away from their sheets: the next learner with the code begins afresh."""
        await self.store.vacate(learner.id)
        learner.state = LEFT
        self._clear(learner)

    async def forget(self, learner: Learner) -> None:
        """Delete a learner and all that they did."""
        await self.store.forget(learner.id)
        self.by_id.pop(learner.id, None)
        self._by_hash.pop(learner.token_hash, None)
        self._clear(learner)

    def _clear(self, learner: Learner) -> None:
        """Take all sheets from a learner."""
        self.holders = {code: number for code, number in self.holders.items() if number != learner.id}

    async def _again(self, learner: Learner, *, is_closed: bool) -> None:
        """Take back a learner who was sent away, with the ticket that they had."""
        if learner.state != LEFT:
            return
        if is_closed or self.holders.get(learner.code) != learner.id:
            await self.store.change_learner(learner.id, state=WAITING)
            learner.state = WAITING
        else:
            await self._let_in(learner)

    async def _let_in(self, learner: Learner) -> None:
        """Let a learner in to all sheets of their student, which nobody else has then."""
        sheets = self.sheets(learner.code)
        before = {code: self.holders[code] for code in sheets if code in self.holders}
        with self._reserved(sheets, before):
            await self.store.let_in(learner.id, sheets)
            self.holders.update(dict.fromkeys(sheets, learner.id))
        learner.state = IN

    async def _take_over(
        self, holder: Learner, nick: str, token_hash: str, newcomer: int = 0, state: str = IN
    ) -> None:
        """Make the newcomer's token that of the learner who had the sheet."""
        before = holder.state
        holder.state = state  # at once: another may come while this is stored
        try:
            nick = nick or holder.nick
            await self.store.take_over(holder.id, newcomer, nick=nick, token_hash=token_hash, state=state)
        except BaseException:
            holder.state = before
            raise
        self._by_hash.pop(holder.token_hash, None)
        holder.token_hash, holder.nick = token_hash, nick
        self._by_hash[token_hash] = holder

    @contextmanager
    def _reserved(self, sheets: list[str], before: Mapping[str, int] | None = None) -> Iterator[None]:
        """Keep these sheets from others while their new holder is stored."""
        self.holders.update(dict.fromkeys(sheets, NO_LEARNER_NUMBER))
        try:
            yield
        finally:
            for code in sheets:
                if self.holders.get(code) == NO_LEARNER_NUMBER:
                    del self.holders[code]
                    self.holders |= {code: before[code]} if before and code in before else {}

    def known(self, code: str) -> str:
        """A code as the register has it, nothing where it has none; the file is not read again."""
        with suppress(HandcalcError):
            found = tickets.spell_code_or_ticket(code)
            return found if found in self.folder.register.by_code else ""
        return ""

    def _known(self, code: str) -> str:
        """A code as it is written in the register, which may have grown since the class began."""
        known = tickets.spell_code_or_ticket(code)
        if known not in self.folder.register.by_code:
            self.folder.register = read_register(self.folder.path / REGISTER_FILE)
        if known not in self.folder.register.by_code:
            raise HandcalcError(f"{known} is not the code of a sheet in this class; check it on your sheet.")
        return known


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def clean_nickname(nick: str) -> str:
    """A nickname on one line, without characters that are unseen, turn the line round or climb out of it."""
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", nick[: 10 * MAX_NICKNAME_LENGTH]):
        category = unicodedata.category(letter)
        marks = marks + 1 if category.startswith(ACCENT_CATEGORY) else 0
        if letter.isspace() or category == "Zs":
            kept.append(" ")
        elif not category.startswith(UNSEEN_CATEGORIES) and marks <= MAX_ACCENTS:
            kept.append(letter)
    words = " ".join("".join(kept).split())
    return words[:MAX_NICKNAME_LENGTH].strip()
