// The script of a saved practice page.

import { OwnPractice } from "./practice/own_practice.js";
import { unpackPage } from "./record/packed_numbers.js";

new OwnPractice(document.getElementById("practice"), await unpackPage(document.getElementById("problems").textContent));
