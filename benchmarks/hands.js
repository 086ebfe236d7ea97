// What moves things in a notebook or on a saved page, each with its probe: window.handcalcProbes[name].
// `sheets` are the explorers from top to bottom: {name, given, watched}, where a number is [matrix, row, column].

async (sheets) => {
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

  // The hand on a sheet's slider, with the watched number in view and chosen.
  function explorer(root, { given, watched }) {
    const range = root.querySelector(".hc-control input[type=range]");
    const cell = ([matrix, row, column]) =>
      root.querySelector(`.hc-stage td[data-step="${matrix}"][data-row="${row}"][data-column="${column}"]`);
    const opening = root.querySelector(".hc-stage td[data-step]").dataset.step;

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
    const slider = {
      value: () => cell(watched),
      read: () => cell(watched)?.dataset.value,
      place: (value) => {
        takeGiven();
        open(watched[0], watched);
        cell(watched).click();
        slide("input", value);
        slide("change");
      },
      focus: () => {
        show(cell(watched));
        range.focus({ preventScroll: true });
      },
      set: (value) => slide("input", value),
      letGo: () => slide("change"),
    };

    return new window.HandcalcProbe(root, slider);
  }

  const roots = notebook.querySelectorAll(".handcalc-explorer");
  for (const root of roots) {
    root.scrollIntoView(); // a sheet is laid out again when it gets its width
    await new Promise((done) => setTimeout(done, 300));
  }
  const handle = notebook.querySelector(".noUi-handle");
  window.handcalcProbes = handle ? { interact: interact(handle) } : {};
  sheets.forEach((sheet, k) => {
    window.handcalcProbes[`${sheet.name}, slider`] = explorer(roots[k], sheet);
  });
}
