// The exam beyond its HTML: this is where its parts meet. Each page says by an attribute
// which of them it needs; without this script its forms do the same, a page at a time.

import { runClosing, runReview } from "./ending.js";
import { runExam } from "./screen.js";
import { begin } from "./session.js";

const exam = document.querySelector("[data-exam]");
const review = document.querySelector("[data-exam-review]");
const closing = document.querySelector("[data-exam-closing]");

if (exam) {
  runExam(begin(exam));
} else if (review) {
  runReview(begin(review));
} else if (closing) {
  runClosing(begin(closing));
}
