// Companions of the explorer, parts that look after themselves: the explorer makes one of each, once its own parts
// are on the page, and tells all of them what happens. Each has those of these methods that it needs:
//
//   lay()          a sheet is drawn again or has another size: this is the moment to measure places
//   keepClear()    the ways on a sheet are drawn again: parts that keep clear of them find their places
//   refresh()      another number is chosen, or other steps are shown
//   shift()        the window of a large matrix shows other numbers
//   grasp()        a hand begins to move a given
//   follow(dirty)  these matrices have changed, while a given is moved
//   settle()       the movement has ended
//   reveal(step)   a step that was hidden is shown

import { Corner } from "./corner.js";
import { SliderTarget } from "../givens/slider_target.js";
import { PlacedPictures } from "../pictures/placed_pictures.js";
import { PreviousValues } from "../sheet/previous_values.js";
import { FadingEdges } from "../page/fading_edges.js";
import { Hint } from "./hint.js";
import { WatchedNumber } from "./watched_number.js";
import { Making } from "../motion/making.js";
import { Pointing } from "../sheet/pointing.js";
import { Ribbons } from "../ribbons/ribbons.js";
import { TextField } from "../givens/text_field.js";
import { WhatIf } from "../givens/what_if.js";

const COMPANIONS = [
  Corner,
  SliderTarget,
  WatchedNumber,
  PlacedPictures,
  PreviousValues,
  FadingEdges,
  Hint,
  Making,
  Pointing,
  Ribbons,
  WhatIf,
  TextField,
];

export class Companions {
  constructor(explorer) {
    this.all = new Map(COMPANIONS.map((Companion) => [Companion, new Companion(explorer)]));
  }

  get(Companion) {
    return this.all.get(Companion);
  }

  tell(what, ...details) {
    for (const companion of this.all.values()) companion[what]?.(...details);
  }
}
