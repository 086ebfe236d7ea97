// Where a reader has been, one entry for each block that was opened, as a browser keeps its pages.

const MOST_VISITS = 100;

export class Visits {
  constructor(place) {
    this.places = [place];
    this.at = 0;
  }

  get now() {
    return this.places[this.at];
  }

  get canGoBack() {
    return this.at > 0;
  }

  get canGoOn() {
    return this.at < this.places.length - 1;
  }

  // A new place; those that were ahead are forgotten.
  add(place) {
    this.places = [...this.places.slice(0, this.at + 1), place].slice(-MOST_VISITS);
    this.at = this.places.length - 1;
  }

  // Another number at the same place.
  replace(place) {
    this.places[this.at] = place;
  }

  // So many places on, or back; null where there is none.
  go(steps) {
    const at = this.at + steps;
    if (!(at in this.places)) return null;
    this.at = at;
    return this.now;
  }
}
