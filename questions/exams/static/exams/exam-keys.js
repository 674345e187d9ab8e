// Single keys in an exam. "S" waits for the letter of what is to be struck out, and says
// so; everything else acts at once.

import { isForThePage, keysAreOn, LETTERS, setUpKeys, showHelp } from "./keys.js";
import { options } from "./item.js";

function focused() {
  return options().find(({ row }) => row.contains(document.activeElement));
}

// Arrows belong to whatever can use them: a group of answers, a box that scrolls.
function mayMove(target) {
  return !target.closest("input, textarea, select, [tabindex='0'], summary");
}

export function onExamKeys({ choose, strike, flag, go, sayTime, isLinear }) {
  const armed = document.querySelector("[data-armed]");
  const hint = document.querySelector("[data-keys-hint]");
  let isArmed = false;

  function arm(isOn) {
    isArmed = isOn;
    const here = isOn && focused();
    const again = here ? ` S again strikes ${here.letter}.` : "";
    armed.textContent = isOn ? `Strike out which? Press its letter; Esc for none.${again}` : "";
  }

  function strikeBy(key) {
    const place = placeOf(key);
    const here = focused();
    arm(false);
    if (key === "s") {
      return here ? strike(here) : true;
    }
    return place === null ? key === "escape" : strike(options()[place]);
  }

  function placeOf(key) {
    if (/^[1-9]$/.test(key)) {
      return Number(key) - 1;
    }
    return key.length === 1 && LETTERS.includes(key) ? LETTERS.indexOf(key) : null;
  }

  const acts = {
    "?": showHelp,
    n: () => go("next"),
    f: flag,
    s: () => arm(true),
    t: sayTime,
  };
  if (!isLinear) {
    Object.assign(acts, { p: () => go("previous"), r: () => go("review") });
  }
  const arrows = { arrowright: acts.n, arrowleft: acts.p };

  function press(key, target) {
    if (isArmed) {
      return strikeBy(key);
    }
    const act = acts[key] ?? (mayMove(target) ? arrows[key] : undefined);
    if (act) {
      act();
      return true;
    }
    return placeOf(key) !== null && choose(placeOf(key));
  }

  document.addEventListener("keydown", (event) => {
    const isModifier = ["Shift", "CapsLock"].includes(event.key);
    if (keysAreOn() && !isModifier && isForThePage(event) && !event.repeat && press(event.key.toLowerCase(), event.target)) {
      event.preventDefault();
    }
  });
  document.addEventListener("pointerdown", () => isArmed && arm(false));
  setUpKeys((areOn) => {
    hint?.toggleAttribute("hidden", !areOn);
    arm(false);
  });
}
