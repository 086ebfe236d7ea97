// Seats that one browser, one nickname or one network has taken in number: the teacher empties them, or all is well.

import { button, tag } from "./elements.js";
import { Part } from "./side.js";
import { listed } from "./speaking.js";

const MOST = 3; // names, so that who needs help stays in sight
const SAID = {
  browser: (count) => `One device has taken ${count} seats.`,
  nick: (count, nick) => `${count} seats have been taken by “${nick}”.`,
  address: (count) => `${count} seats were taken at once from one network, as by a class behind one router.`,
};

export class Alarms extends Part {
  constructor(desk) {
    super("Is this your class?", "alarms");
    this.desk = desk;
    this.element.setAttribute("role", "alert");
    this.element.hidden = true;
  }

  show() {
    const { known, naming } = this.desk;
    const alarms = known.alarms ?? [];
    this.element.hidden = !alarms.length;
    this.count(alarms.length);
    this.update([alarms, naming.isHidden], () => alarms.map((one) => this.line(one)));
  }

  line({ alarm, kind, nick, codes }) {
    const { known, naming, act } = this.desk;
    const whose = codes.map((code) => (known.rows.has(code) ? naming.of(known.rows.get(code).number) : code));
    const words = SAID[kind](codes.length, naming.newcomer(nick));
    return tag("div", { class: "newcomer" }, tag("p", {}, tag("b", {}, words), ` ${listed(whose, MOST)}`),
      button(`Empty these ${codes.length} seats`, () => act({ do: "empty", alarm }), { class: "small", "data-key": `empty ${alarm}`, title: "Whoever joins with these codes next gets an empty sheet" }),
      button("All is well", () => act({ do: "well", alarm }), { class: "go small", "data-key": `well ${alarm}` }));
  }
}
