"""A phone's line to the server without either: codes and tickets, waits, sockets that close or stall."""

import json

import pytest
from phone_world import around

pytestmark = pytest.mark.node


@pytest.fixture(scope="module")
def phone(node, tmp_path_factory):
    return around(node, tmp_path_factory.mktemp("phone"))


def test_waits_grow_to_a_bound_and_phones_do_not_knock_together(phone):
    delays = "(k) => [retryDelay(k, () => 0), retryDelay(k, () => 1)]"
    found = phone(f"return [0, 1, 2, 3, 4, 5, 9, 99].map({delays});")
    _, most = zip(*found, strict=True)
    assert list(most) == sorted(most)
    assert most[0] <= 500
    assert most[-1] == most[-2] <= 30_000
    assert all(low == high / 2 for low, high in found)


@pytest.mark.parametrize(
    ("hash_", "code"),
    [
        ("#SA1-423E", "SA1-423E"),
        ("#sa1-423e", "SA1-423E"),
        ("#sa1%20423e", "SA1-423E"),
        ("", ""),
        ("#%E0%A4%A", ""),
    ],
)
def test_the_code_of_a_qr_code_is_read(phone, hash_, code):
    assert phone("return readCode(argument);", hash_) == code


def test_codes_that_look_alike_are_the_same(phone):
    assert phone("return isSameCode('sai-4z3e', 'SA1-423E')") is True
    assert phone("return isSameCode('SA1-423E', 'SA1-424N')") is False


def test_where_somebody_stands(phone):
    found = phone(
        """const away = new Refused("", 0);
        return [{ state: "in" }, { code: "A" }, { state: "waiting" }, { state: "left" }, new Refused("", 403),
          new Refused("", 503), away, new Refused("", 429), new TypeError("x")].map(findStanding);"""
    )
    assert found == ["in", "in", "waiting", "out", "out", "away", "away", "busy", "away"]
    others = """const refused = (status, isOurs) => findStanding(new Refused("", status, 0, isOurs));
        return [refused(403, true), refused(403, false), refused(401, false), refused(421, true)];"""
    assert phone(others) == ["out", "away", "away", "away"]  # a proxy, and another class at this address
    ticket = {"token": "t", "code": "SA1-423E", "codes": ["SA1-423E", "SM1-4232"]}
    asked = "return argument.map(([code, ticket]) => decideOnCode(code, ticket));"
    cases = [["", None], ["", ticket], ["SM1-4232", ticket], ["SM1-4248", ticket], ["", {}]]
    assert phone(asked, json.loads(json.dumps(cases))) == ["join", "return", "return", "join", "join"]


def test_a_ticket_that_a_page_brings_along_counts(phone):
    found = phone(
        """const given = { token: "t", code: "SA1-423E", nick: "ada" };
        const kept = { token: "old", code: "SA1-423E", at: "SM1-4232", nick: "Ada" };
        const ticket = chooseTicket(given, kept);
        const later = [kept, ticket, null].map((one) => chooseTicket({}, one)?.token);
        return [ticket, decideOnCode("SM1-4248", ticket), ...later];"""
    )
    ticket = {"token": "t", "code": "SA1-423E", "nick": "ada", "at": "SM1-4232", "isGiven": True}
    assert found == [ticket, "return", "old", None, None]


SOCKETS = """
  const sockets = [];
  globalThis.WebSocket = class { // it opens, speaks and closes as it is told to
    static OPEN = 1; static CLOSING = 2;
    constructor(address) {
      Object.assign(this, { address: String(address), readyState: 0, sent: [] });
      sockets.push(this);
    }
    send(text) { this.sent.push(JSON.parse(text)); }
    opens() { this.readyState = 1; this.onopen?.(); }
    says(found) { this.onmessage?.({ data: JSON.stringify(found) }); }
    closes(code = 1006) { this.readyState = 3; this.onclose?.({ code }); }
    close() { this.readyState = 2; } // whether the other end hears of it is not known
  };
  globalThis.location = { href: "http://192.168.1.2:8737/services/class/" };
  const heard = [];
  const live = new MarksSocket("t", {
    onMessage: (found) => heard.push(found),
    onState: (isReached) => heard.push(isReached),
    onOut: () => heard.push("out"),
  }, how);
"""  # fmt: skip


def test_a_socket_that_closes_is_opened_again_and_only_a_second_time_without_one_is_told(phone):
    found = phone(
        f"""{SOCKETS}
        sockets[0].opens(); sockets[0].says({{ until: "E" }});
        sockets[0].closes();
        await turn(); // a phone that was asleep: once is nothing to speak of
        const quiet = heard.length;
        sockets[1].closes(); await turn(); sockets[2].closes(); await turn();
        sockets[3].opens();
        return [sockets[0].address, sockets[0].sent, quiet, heard];"""
    )
    address = "ws://192.168.1.2:8737/services/class/api/live"
    assert found == [address, [{"token": "t"}], 2, [True, {"until": "E"}, False, False, True]]


def test_a_socket_that_carries_nothing_is_replaced_and_says_nothing_any_more(phone):
    found = phone(
        f"""{SOCKETS}
        sockets[0].opens();
        live.renew();
        sockets[1].opens();
        sockets[0].says({{ old: 1 }}); sockets[0].closes(); sockets[1].says({{ new: 1 }});
        live.stop();
        sockets[1].says({{ late: 1 }}); sockets[1].closes();
        return [sockets.length, clock.timers.length, heard];"""
    )
    assert found == [2, 0, [True, True, {"new": 1}]]


def test_pages_of_one_learner_do_not_push_one_another_out_for_ever(phone):
    assert phone(
        f"""{SOCKETS}
        sockets[0].opens(); sockets[0].closes(1008);
        const before = [sockets.length, clock.timers.length];
        live.wake();
        sockets[1].opens(); sockets[1].closes(4403);
        return [...before, sockets.length, heard];"""
    ) == [1, 0, 2, [True, True, "out"]]


def test_marks_that_are_not_made_yet_are_asked_for_again(phone):
    found = phone(
        f"""{SOCKETS}
        const [unmarked, timers, usual] = [[["A", 0, 0, "1"]], [], setTimeout];
        let asked = 0;
        const outbox = {{ unmarked: {{ of: () => unmarked }}, unsent: [], retry: {{ now() {{}} }} }};
        const notice = {{ isReached: true, reached() {{}} }};
        const line = new ServerLine({{ token: "t", outbox, notice, refresh: () => (asked += 1) }});
        globalThis.setTimeout = (look) => timers.push(look);
        line.expectMarks("SA1-423E");
        timers.shift()(); timers.shift()();
        unmarked.pop(); timers.shift()();
        globalThis.setTimeout = usual;
        return [asked, timers.length];"""
    )
    assert found == [2, 0]


def test_each_class_at_an_address_has_names_of_its_own_in_the_browser(phone):
    assert phone(
        """const own = storage();
        const [one, two, none] = ["7a", "7b", undefined].map((id) => new BrowserStorage(own, id));
        one.set("ticket", 1); two.set("ticket", 2); two.set("waiting 5", 3);
        const tickets = [one, two, none].map((kept) => kept.get("ticket"));
        return [...tickets, one.names("waiting"), two.names("waiting")];"""
    ) == [1, 2, None, [], ["waiting 5"]]
