// What a saved page of practice starts.

import { OwnPractice } from "./practice/own_practice.js";
import { unpackPage } from "./record/packed_numbers.js";

new OwnPractice(document.getElementById("practice"), await unpackPage(document.getElementById("problems").textContent));
