// Time left, by the server's clock. The end is kept twice: on the computer's clock, which
// goes on while the computer sleeps but can be set back, and on the page's own, which
// can't be set but may stop. The lesser counts; where they part, the server is asked.

import { read, write } from "./store.js";

const SHORT = 5 * 60_000;
const SAID_AT = [30, 10, 5, 1];
const APART = 2_000;
const ASK_EVERY = 5_000;

export function clockText(milliseconds) {
  const all = Math.max(Math.ceil(milliseconds / 1000), 0);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`;
}

function spoken(milliseconds) {
  const all = Math.max(Math.ceil(milliseconds / 1000), 0);
  const parts = [
    [Math.floor(all / 3600), "hour"],
    [Math.floor(all / 60) % 60, "minute"],
    [all % 60, "second"],
  ];
  const words = parts.filter(([number]) => number).map(([number, unit]) => `${number} ${unit}${number === 1 ? "" : "s"}`);
  return words.length > 0 ? `${words.join(" ")} left` : "Time is up";
}

// ``ask`` asks the server, whose reply comes back through ``sync``; ``onEnd`` and
// ``onMore`` are called when the time runs out and when there is some again.
export function makeClock({ ask, onEnd, onMore }) {
  const timer = document.querySelector("[data-timer]");
  const shown = document.querySelector("[data-clock]");
  const said = document.querySelector("[data-clock-said]");
  const hide = document.querySelector("[data-hide-clock]");
  let end = null;
  let wallEnd = null;
  let before = null;
  let askedAt = -Infinity;
  let isOver = false;
  let isHidden = read("exam-clock") === "hidden";

  function left() {
    return Math.min(end - performance.now(), wallEnd - Date.now());
  }

  // The server read its clock between ``sentAt`` and ``receivedAt``: what we have stands
  // if it fits, so that a slow reply doesn't make the clock jump.
  function sync(milliseconds, sentAt, receivedAt) {
    if (!timer) {
      return;
    }
    const [least, most] = [sentAt + milliseconds, receivedAt + milliseconds];
    end = end !== null && end >= least && end <= most ? end : least;
    wallEnd = Date.now() + end - performance.now();
    if (isOver && left() > 0) {
      isOver = false;
      onMore();
    }
    tick();
  }

  function wake() {
    if (performance.now() - askedAt > ASK_EVERY) {
      askedAt = performance.now();
      ask();
    }
  }

  function say(words) {
    if (said) {
      // The same words again are said again only if they were gone in between.
      said.textContent = "";
      setTimeout(() => {
        said.textContent = words;
      }, 50);
    }
  }

  function show(milliseconds) {
    const isShort = milliseconds <= SHORT;
    const text = clockText(milliseconds);
    if (shown.textContent !== text) {
      shown.textContent = text;
    }
    timer.toggleAttribute("hidden", isHidden && !isShort);
    if (isShort) {
      timer.dataset.state = "short";
    } else {
      delete timer.dataset.state;
    }
    if (hide) {
      hide.hidden = isShort;
      hide.querySelector("[data-hide-word]").textContent = isHidden ? "Show" : "Hide";
    }
  }

  function tick() {
    if (end === null) {
      return;
    }
    if (Math.abs(end - performance.now() - (wallEnd - Date.now())) > APART) {
      wake();
    }
    const now = left();
    show(now);
    const crossed = SAID_AT.filter((minutes) => before !== null && before > minutes * 60_000 && now <= minutes * 60_000);
    if (crossed.length > 0 && now > 0) {
      const shownAgain = isHidden && now <= SHORT && before > SHORT ? " The time is shown again." : "";
      say(`${spoken(now)}.${shownAgain}`);
    }
    before = now;
    // A clock set forward is no reason to stop somebody whom the server can't tell better.
    if (end - performance.now() <= 0 && !isOver) {
      isOver = true;
      onEnd();
    }
  }

  if (timer) {
    hide?.addEventListener("click", () => {
      isHidden = !isHidden;
      write("exam-clock", isHidden ? "hidden" : "shown");
      show(left());
    });
    setInterval(tick, 250);
  }
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  document.addEventListener("visibilitychange", () => document.hidden || wake());

  return {
    sync,
    left: () => (end === null ? null : left()),
    sayTime: () => say(end === null ? "This sitting has no clock." : `${spoken(left())}.`),
  };
}
