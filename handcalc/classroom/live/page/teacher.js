// The teacher's page: students by steps, as it happens.

import { ask, follow } from "./server.js";

const SIGNS = { right: "✓", close: "≈", following: "→", wrong: "✗", blank: "·" };
const token = location.hash.slice(1);
const root = document.getElementById("class");

function show({ title, rows, paused }) {
  const table = document.createElement("table");
  for (const { name, nick, standing } of rows) {
    const line = table.insertRow();
    line.insertCell().textContent = nick ? `${name} (${nick})` : name;
    for (const [step, counts] of Object.entries(standing.steps)) {
      const worst = ["wrong", "close", "following", "right"].find((state) => counts[state]) ?? "blank";
      line.insertCell().textContent = `${step} ${SIGNS[worst]}`;
    }
  }
  const pause = Object.assign(document.createElement("button"), { textContent: paused ? "Resume" : "Pause" });
  pause.onclick = () => ask("api/class/do", token, { do: paused ? "resume" : "pause" });
  root.replaceChildren(Object.assign(document.createElement("h1"), { textContent: title }), pause, table);
}

follow("api/class/events", token, show);
