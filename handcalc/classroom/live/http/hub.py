"""The same server as a service of JupyterHub: the Hub knows its users, and nobody needs a code.

A page is for the user who has logged in. It brings the ticket for all its other requests: a cookie counts for
pages alone, so that another site's page can do nothing in somebody's name.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from jupyterhub.services.auth import HubOAuthCallbackHandler, HubOAuthenticated, UserNotAllowed
from tornado.web import RedirectHandler

from handcalc.classroom.folder.register import RegisterEntry
from handcalc.classroom.live.http import routes
from handcalc.classroom.live.http.learner_requests import JoinHandler
from handcalc.classroom.live.http.pages import PageHandler, content_policy, fill_page
from handcalc.classroom.live.http.request_handler import ClassRequestHandler, LiveServer
from handcalc.classroom.live.state.people import Learner
from handcalc.classroom.live.state.refusals import StrangerError
from handcalc.foundation.errors import HandcalcError, short

SERVICE_VARIABLES = tuple(
    f"JUPYTERHUB_{name}" for name in ("API_TOKEN", "API_URL", "CLIENT_ID", "SERVICE_PREFIX")
)
GROUP_SIGN = "@"  # before the name of a group of the Hub
UNKNOWN_LOGIN = (
    "The login {} is not in the register of this class as an id, an email or a name; ask your teacher."
)
NO_CODE_NEEDED = "Your login says who you are, so you need no code; load this page again."
FOR_TEACHERS = "This page is for teachers; {} does not teach this class."


class HubService(NamedTuple):
    """The prefix, address and port that the Hub wants for the service."""

    prefix: str
    address: str
    port: int


def read_service(port: int) -> HubService:
    """The service as the Hub describes it. Raises HandcalcError where no Hub has started this process."""
    missing = [name for name in SERVICE_VARIABLES if not os.environ.get(name)]
    if missing:
        raise HandcalcError(
            f"--hub is for a service that JupyterHub starts: {missing[0]} is not set; see docs/deploy.md."
        )
    found = urlsplit(os.environ.get("JUPYTERHUB_SERVICE_URL", ""))
    try:
        address = str(ipaddress.IPv4Address(found.hostname or routes.LOCAL_ADDRESS))
    except ValueError:  # a name, such as localhost
        address = routes.LOCAL_ADDRESS
    prefix = os.environ["JUPYTERHUB_SERVICE_PREFIX"]
    return HubService(f"/{prefix.strip('/')}/", address, found.port or port)


@dataclass(frozen=True)
class HubDoor:
    """The way in for users of the Hub. `teachers` are names of users and, after an @, of groups."""

    live: LiveServer
    secret: str  # of the class's folder: tickets are the same after a restart
    teachers: frozenset[str] = frozenset()
    one_by_one: asyncio.Lock = field(default_factory=asyncio.Lock)

    def is_teacher(self, person: Any) -> bool:
        """Whether a user teaches: by name, by a group that is named, or as an admin of the Hub."""
        groups = {f"{GROUP_SIGN}{name}" for name in person.get("groups") or ()}
        return bool(person.get("admin")) or bool(({person["name"]} | groups) & self.teachers)

    def entry(self, person: Any) -> RegisterEntry:
        """The first sheet of a user, by id, then email, then name. Raises StrangerError for one without."""
        name = _plain(person["name"])
        for column in ("id", "email", "name"):
            found = [one for one in self.live.room.folder.register if _plain(getattr(one, column)) == name]
            if found and len({one.number for one in found}) == 1:
                return found[0]
        raise StrangerError(UNKNOWN_LOGIN.format(short(person["name"])))

    async def enter(self, person: Any) -> tuple[str, Learner]:
        """The ticket of a user, who is in from then on."""
        entry, room = self.entry(person), self.live.room
        token = self._token(entry.code)
        async with self.one_by_one:  # a browser may open two pages at once
            return token, room.people.by_token(token) or (await room.join(entry.code, "", token))[1]

    def _token(self, code: str) -> str:
        return hmac.new(self.secret.encode(), code.encode(), hashlib.sha256).hexdigest()[:32]


class HubPageHandler(HubOAuthenticated, PageHandler):  # type: ignore[misc]
    """One of the pages, with the ticket of the user who has logged in."""

    def initialize(self, live: LiveServer, door: Any = None) -> None:
        super().initialize(live)
        self.door = door

    async def get(self, name: str = "learner") -> None:
        person = await self.hub_auth.get_user(self, sync=False)
        if person is None:
            self.redirect(self.get_login_url())
            return
        try:
            self.check_hub_user(person)
        except UserNotAllowed as error:
            raise StrangerError(f"{short(person['name'])} may not use this service of the Hub.") from error
        self.set_header("Content-Security-Policy", content_policy(self.request.host))
        self.set_header("Content-Type", "text/html; charset=utf-8")
        about = {"class": self.live.class_id, **await self._given(name, person)}
        self.finish(fill_page(name, about))

    def explain(self, sentence: str) -> None:
        """Send the sentence as plain text: a person reads the page."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(sentence)

    async def _given(self, page: str, person: Any) -> dict[str, str]:
        """The values that fill the page for the user who opened it."""
        if page == "projector":  # its ticket comes from the teacher's page
            return {}
        if page == "teacher":
            if not self.door.is_teacher(person):
                raise StrangerError(FOR_TEACHERS.format(short(person["name"])))
            return {"token": self.live.teacher}
        token, learner = await self.door.enter(person)
        return {"token": token, "code": learner.code, "nick": str(person["name"])}


class HubJoinHandler(ClassRequestHandler):
    """Refuse to join with a code: the Hub knows its users."""

    def post(self) -> None:
        raise StrangerError(NO_CODE_NEEDED)


def make_hub_handlers(door: HubDoor, prefix: str) -> Iterable[Any]:
    """The routes below the service's prefix, pages behind the Hub's login."""
    own = {"live": door.live}
    yield prefix.rstrip("/"), RedirectHandler, {"url": prefix}
    yield f"{prefix}oauth_callback", HubOAuthCallbackHandler
    for pattern, handler in routes.ROUTES:
        path = prefix + pattern.removeprefix("/")
        if issubclass(handler, PageHandler):
            yield path, HubPageHandler, {**own, "door": door}
        else:
            yield path, HubJoinHandler if handler is JoinHandler else handler, own


def make_hub_settings(door: HubDoor) -> dict[str, Any]:
    """The server's settings for the Hub: a login goes on after a restart."""
    return {"cookie_secret": hashlib.sha256(f"cookies {door.secret}".encode()).digest()}


def _plain(name: str) -> str:
    """A name for comparison; an empty name matches nobody."""
    return name.strip().casefold() or "\0"
