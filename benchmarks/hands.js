// The hands that move things in a notebook or on a saved page, each with its probe: window.handcalcProbes[name].
// `sheets` are the explorers from top to bottom: {name, given, watched}, where a number is [matrix, row, column].

async (sheets) => {
  const STEP = 0.1; // of a slider, and of a drag
  const PIXELS = 6; // of dragging, to a step: as handcalc/views/browser/input_control.js has it

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

  // Both hands of a sheet: one on its slider, with the watched number in view and chosen, one on the
  // given itself, which is then what is in view and chosen, as it is for a person.
  function explorer(root, { given, watched }) {
    const range = root.querySelector("input[type=range]");
    const cell = ([matrix, row, column]) =>
      root.querySelector(`td[data-step="${matrix}"][data-row="${row}"][data-column="${column}"]`);
    const [from, to] = [cell(given), cell(watched)];
    const show = (number) => number.scrollIntoView({ block: "center" });
    const slide = (kind, value) => {
      if (value !== undefined) range.value = value;
      range.dispatchEvent(new Event(kind, { bubbles: true }));
    };
    const aim = () => {
      from.click();
      to.click();
    };
    const place = (value) => {
      aim();
      slide("input", value);
      slide("change");
    };
    const watch = { value: to, read: () => to.dataset.value, place };

    const slider = {
      ...watch,
      focus: () => {
        aim();
        show(to);
        range.focus({ preventScroll: true });
      },
      set: (value) => slide("input", value),
      letGo: () => slide("change"),
    };

    let start;
    const point = (kind, value = start.value) => {
      const far = Math.round((value - start.value) / STEP) * PIXELS;
      const mouse = { pointerId: 1, pointerType: "mouse", isPrimary: true, bubbles: true, cancelable: true };
      const buttons = { button: kind === "pointermove" ? -1 : 0, buttons: kind === "pointerup" ? 0 : 1 };
      const at = { clientX: start.x, clientY: start.y - far };
      from.dispatchEvent(new PointerEvent(kind, { ...mouse, ...buttons, ...at }));
    };
    const drag = {
      ...watch,
      event: "pointermove",
      focus: () => show(from),
      // What a press does: the pointer goes down, then the focus comes. There is no real pointer that
      // could be captured, and none is needed: all events go to the number anyway.
      grab: () => {
        const { x, y } = from.getBoundingClientRect();
        start = { x, y, value: Number(from.dataset.value) };
        from.setPointerCapture = () => {};
        point("pointerdown");
        from.focus({ preventScroll: true });
      },
      set: (value) => point("pointermove", value),
      letGo: () => {
        point("pointerup");
        delete from.setPointerCapture;
      },
      // Where a real mouse takes hold.
      grip: () => {
        const { x, y, width, height } = from.getBoundingClientRect();
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
