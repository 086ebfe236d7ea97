import { Explorer } from "./explorer.js";
import { tag } from "./sheet.js";

// anywidget's entry: the model carries `spec` and `places` to the page, and `givens` both ways.
export default {
  render({ model, el }) {
    const root = tag("div");
    el.append(root);
    let explorer = null;
    let own = false; // a change that this page made is no news to it
    const draw = () => {
      explorer = new Explorer(root, model.get("spec"), {
        places: model.get("places"),
        onGivens: (givens) => {
          own = true;
          model.set("givens", givens);
          model.save_changes();
          own = false;
        },
      });
      explorer.setGivens(model.get("givens"));
    };
    const follow = () => {
      if (!own) explorer.setGivens(model.get("givens"));
    };
    draw();
    model.on("change:spec change:places", draw);
    model.on("change:givens", follow);
    return () => {
      model.off("change:spec change:places", draw);
      model.off("change:givens", follow);
    };
  },
};
