// A row of keys above a phone's number pad: the signs that it lacks, and a key for the next field.

import { tag } from "../../../views/browser/page/dom.js";

const SIGN_KEYS = [["−", "minus", "-"], ["/", "divided by"], ["√", "square root of"], ["^", "to the power of"], ["e", "e"], ["(", "open bracket"], [")", "close bracket"]];
const FIELD_SELECTOR = ".hc-blank input";

export const hasFinger = () => matchMedia("(pointer: coarse)").matches;

export class NumberKeys {
  // `root` contains the fields; `onRoom` is called when the keyboard comes or goes.
  constructor(root, onRoom) {
    this.root = root;
    const keys = SIGN_KEYS.map(([sign, words, text = sign]) => this.key(sign, words, (field) => type(field, text)));
    this.element = tag("div", { class: "class-keys", role: "toolbar", "aria-label": "Signs for the field" }, ...keys, this.key("↵", "next field", next));
    globalThis.visualViewport?.addEventListener("resize", () => this.lift(onRoom));
    globalThis.visualViewport?.addEventListener("scroll", () => this.lift(() => {}));
    this.lift(() => {});
  }

  // The focus stays in the field, or its keyboard would go.
  key(sign, words, act) {
    const key = tag("button", { type: "button", "aria-label": words }, sign);
    key.addEventListener("pointerdown", (event) => event.preventDefault());
    key.addEventListener("click", () => {
      const field = document.activeElement;
      if (field?.matches(FIELD_SELECTOR) && !field.readOnly) act(field);
    });
    return key;
  }

  // Some phones lay their keyboard over the page instead of making it smaller.
  lift(onRoom) {
    const { height, offsetTop, scale } = globalThis.visualViewport ?? { height: innerHeight, offsetTop: 0, scale: 1 };
    const covered = scale > 1.01 ? 0 : Math.max(0, Math.round(innerHeight - height - offsetTop));
    document.documentElement.style.setProperty("--class-keyboard", `${covered}px`);
    onRoom();
  }

  // Gives new fields a numeric keyboard.
  refresh() {
    for (const field of this.root.querySelectorAll(FIELD_SELECTOR)) {
      field.setAttribute("inputmode", "decimal");
      field.setAttribute("enterkeyhint", "enter"); // with "next", phones go along the rows
    }
  }
}

function type(field, text) {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

const next = (field) => field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
