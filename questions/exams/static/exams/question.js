// The question page beyond its HTML: keys, a count of what is chosen, and the focus
// on what has changed. Everything works without it.

import { isForThePage, keysAreOn, LETTERS, setUpKeys, showHelp } from "./keys.js";
import { makeViewing } from "./viewing.js";

function form() {
  return document.getElementById("question-form");
}

function openInputs() {
  return [...(form()?.querySelectorAll('input[name="answer"]:not(:disabled)') ?? [])];
}

function choose(place) {
  const input = openInputs()[place];
  if (!input) {
    return false;
  }
  input.checked = input.type === "checkbox" ? !input.checked : true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  input.focus();
  return true;
}

function sayKeys(areOn) {
  for (const block of document.querySelectorAll(".keys-block")) {
    block.hidden = false;
    block.toggleAttribute("data-off", !areOn);
  }
}

function onKey(event) {
  if (!isForThePage(event) || (!keysAreOn() && event.key !== "Enter")) {
    return;
  }
  const key = event.key.toLowerCase();
  let done = false;
  if (key === "?") {
    done = showHelp();
  } else if (/^[1-9]$/.test(key)) {
    done = choose(Number(key) - 1);
  } else if (key === "n") {
    const next = [...document.querySelectorAll("[data-next]")].find((link) => link.offsetParent);
    next?.click();
    done = Boolean(next);
  } else if (key === "enter" && !event.target.closest("a, button, summary")) {
    if (openInputs().length > 0) {
      form().requestSubmit();
      done = true;
    }
  } else if (key.length === 1 && LETTERS.includes(key)) {
    done = choose(LETTERS.indexOf(key));
  }
  if (done) {
    event.preventDefault();
  }
}

// "Choose two" says how many are chosen, next to what is asked.
function count() {
  const how = form()?.querySelector(".ask-how");
  const asked = Number(form()?.dataset.choose ?? 1);
  const inputs = openInputs();
  if (!how || asked < 2 || inputs.length === 0) {
    return;
  }
  const chosen = inputs.filter((input) => input.checked).length;
  let told = how.querySelector("[data-count]");
  if (!told) {
    told = document.createElement("span");
    told.dataset.count = "";
    how.append(" ", told);
  }
  told.textContent = `${chosen} of ${asked} chosen.`;
}

function settle() {
  const target = document.querySelector("#item [data-focus]");
  if (target) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
  }
  document.querySelector("[data-folded]")?.toggleAttribute("hidden", Boolean(document.getElementById("verdict")));
  count();
}

function sayFailure() {
  const button = form()?.querySelector(".form-end");
  if (!button) {
    return;
  }
  let note = form().querySelector("[data-failure]");
  if (!note) {
    note = document.createElement("p");
    note.className = "field-error";
    note.dataset.failure = "";
    note.setAttribute("role", "alert");
    button.before(note);
  }
  note.textContent = "The answer could not be checked: no reply from the server. Your choice is still here. Try again.";
}

// An answer says how long its question was in view. Asked in the capturing phase: the
// field is read by whatever sends the form.
const viewing = makeViewing();

function fillSeconds(event) {
  const field = event.target.querySelector("[data-seconds]");
  if (field) {
    const seconds = viewing.take("question");
    viewing.giveBack("question", seconds);
    field.value = seconds;
  }
}

setUpKeys(sayKeys);
viewing.look("question");
document.addEventListener("submit", fillSeconds, { capture: true });
document.addEventListener("keydown", onKey);
document.addEventListener("change", count);
document.addEventListener("htmx:afterSettle", settle);
document.addEventListener("htmx:sendError", sayFailure);
document.addEventListener("htmx:responseError", sayFailure);
count();
