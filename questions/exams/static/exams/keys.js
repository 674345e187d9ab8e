// Single keys, shared by the question page and the exam: whether they are on, when they
// must not fire, and the dialog that lists them.

import { read, write } from "./store.js";

export const LETTERS = "abcdefghij";

// Single keys can get in the way of speech input and screen readers: they can be switched
// off for this device (WCAG 2.1.4).
let areOn = read("keys") !== "off";

export function keysAreOn() {
  return areOn;
}

export function isTyping(target) {
  return Boolean(target.closest("textarea, select, [contenteditable], input:not([name='answer'])"));
}

// Whether a key press may mean anything to the page at all.
export function isForThePage(event) {
  const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
  const isInADialog = Boolean(document.querySelector("dialog[open]"));
  return !isTaken && !isInADialog && !isTyping(event.target);
}

export function showHelp() {
  const help = document.getElementById("help");
  if (help && !help.open) {
    help.showModal();
  }
  return Boolean(help);
}

export function setUpKeys(onChange) {
  const keysSwitch = document.querySelector("[data-keys]");
  if (keysSwitch) {
    keysSwitch.checked = areOn;
    keysSwitch.addEventListener("change", () => {
      areOn = keysSwitch.checked;
      write("keys", areOn ? "on" : "off");
      onChange(areOn);
    });
  }
  for (const button of document.querySelectorAll("[data-help]")) {
    button.addEventListener("click", showHelp);
  }
  onChange(areOn);
}
