// A learner's page: join with a code, fill in one's sheet.

import { Practice } from "./handcalc.js";
import { ask, listen } from "./server.js";

const root = document.getElementById("class");

function join() {
  const form = document.createElement("form");
  const code = Object.assign(document.createElement("input"), { name: "code", value: location.hash.slice(1) });
  const nick = Object.assign(document.createElement("input"), { name: "nick" });
  const sentence = Object.assign(document.createElement("p"), { role: "alert" });
  form.append("Code ", code, " Name ", nick, Object.assign(document.createElement("button"), { textContent: "Join" }), sentence);
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      const { token } = await ask("api/join", "", { code: code.value, nick: nick.value });
      localStorage.setItem("handcalc class", token);
      await open(token);
    } catch (error) {
      sentence.textContent = error.message;
    }
  };
  root.replaceChildren(form);
}

async function open(token) {
  const state = await ask("api/sheet", token);
  let n = Date.now();
  const element = document.createElement("div");
  root.replaceChildren(element);
  const practice = new Practice(element, { ...state, file: "class", back: false }, {
    onText: (...cell) => ask("api/answers", token, { code: state.code, answers: [[(n += 1), ...cell]] }),
    onAsk: async (what, step) => what === "hint" && practice.update(await ask("api/hint", token, { code: state.code, step })),
  });
  listen(token, ({ marks }) => marks && practice.update(marks), () => {});
}

join();
