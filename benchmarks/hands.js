// The hands that move things in a notebook or on a saved page, each with its probe: window.handcalcProbes[name].
// `sheets` are the explorers from top to bottom: {name, given, watched}, where a number is [matrix, row, column].

async (sheets) => {
  const STEP = 0.1; // of a slider, and of a drag
  const PIXELS = 6; // of dragging, to a step: as handcalc/views/browser/givens/input_control.js has it

  const notebook = document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden)") ?? document;

  function interact(handle) {
    const area = handle.closest(".widget-interact");
    const picture = () => area.querySelector("img");
    return new window.HandcalcProbe(area, {
      focus: () => {
        area.scrollIntoView({ block: "start" });
        handle.focus();
      },
      read: () => picture()?.src,
      set: (value) => handle.closest(".noUi-target").noUiSlider.set(value),
      settled: () => picture()?.decode(),
    });
  }

  // Both hands of a sheet: one on its slider, with the watched number in view and chosen, one on the given
  // itself, which is then what is in view; it watches the last number of what is open around the given.
  function explorer(root, { given, watched }) {
    const range = root.querySelector("input[type=range]");
    const cell = ([matrix, row, column]) =>
      root.querySelector(`.hc-stage td[data-step="${matrix}"][data-row="${row}"][data-column="${column}"]`);
    const opening = root.querySelector(".hc-stage td[data-step]").dataset.step;
    const last = () => [...root.querySelectorAll(".hc-stage td[data-step]")].at(-1).dataset.step;

    // By its name, as a person finds what is in a block that is not open.
    const open = (name, wanted) => {
      if (wanted && cell(wanted)) return;
      const field = root.querySelector("[role=combobox]");
      field.value = name;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    };
    const show = (number) => number.scrollIntoView({ block: "center" });
    const slide = (kind, value) => {
      if (value !== undefined) range.value = value;
      range.dispatchEvent(new Event(kind, { bubbles: true }));
    };
    const takeGiven = () => {
      if (!cell(given)) open(opening);
      if (!cell(given)) open(given[0], given);
      cell(given).click();
    };
    const watch = (seen) => ({
      value: () => cell(seen()),
      read: () => cell(seen())?.dataset.value,
      place: (value) => {
        takeGiven();
        open(seen()[0], seen());
        cell(seen()).click();
        slide("input", value);
        slide("change");
      },
      watched: () => seen(),
    });

    const slider = {
      ...watch(() => watched),
      focus: () => {
        show(cell(watched));
        range.focus({ preventScroll: true });
      },
      set: (value) => slide("input", value),
      letGo: () => slide("change"),
    };

    takeGiven();
    const near = [last(), 0, 0];
    let start;
    const point = (kind, value = start.value) => {
      const far = Math.round((value - start.value) / STEP) * PIXELS;
      const mouse = { pointerId: 1, pointerType: "mouse", isPrimary: true, bubbles: true, cancelable: true };
      const buttons = { button: kind === "pointermove" ? -1 : 0, buttons: kind === "pointerup" ? 0 : 1 };
      const at = { clientX: start.x, clientY: start.y - far };
      cell(given).dispatchEvent(new PointerEvent(kind, { ...mouse, ...buttons, ...at }));
    };
    const drag = {
      ...watch(() => near),
      event: "pointermove",
      focus: () => show(cell(given)),
      // What a press does: the pointer goes down, then the focus comes. There is no real pointer that
      // could be captured, and none is needed: all events go to the number anyway.
      grab: () => {
        const from = cell(given);
        const { x, y } = from.getBoundingClientRect();
        start = { x, y, value: Number(from.dataset.value) };
        from.setPointerCapture = () => {};
        point("pointerdown");
        from.focus({ preventScroll: true });
      },
      set: (value) => point("pointermove", value),
      letGo: () => {
        point("pointerup");
        delete cell(given).setPointerCapture;
      },
      // Where a real mouse takes hold.
      grip: () => {
        const { x, y, width, height } = cell(given).getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      },
    };
    return { slider: new window.HandcalcProbe(root, slider), drag: new window.HandcalcProbe(root, drag) };
  }

  const roots = notebook.querySelectorAll(".handcalc-explorer");
  for (const root of roots) {
    root.scrollIntoView(); // a sheet is laid out again when it gets its width
    await new Promise((done) => setTimeout(done, 300));
  }
  const handle = notebook.querySelector(".noUi-handle");
  window.handcalcProbes = handle ? { interact: interact(handle) } : {};
  sheets.forEach((sheet, k) => {
    for (const [hand, probe] of Object.entries(explorer(roots[k], sheet))) {
      window.handcalcProbes[`${sheet.name}, ${hand}`] = probe;
    }
  });
}
