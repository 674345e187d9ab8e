// Which window wrote what is kept on the device, and which of those windows are gone.
// Where the browser has locks, a window holds one for as long as it lives, and the wait
// for another's ends when that one dies. On plain http there are none: there each window
// leaves a sign of life, and takes it away when it goes.

import { keysUnder, read, remove, write } from "./store.js";

const SIGN = "exam-window:";
const EVERY = 5_000;
// Browsers wake hidden windows once a minute at the least.
const SILENT = 90_000;
const AT_ONCE = 300;
const COURTESY = 3_000;

export function randomId() {
  if (crypto.randomUUID) {
    return crypto.randomUUID();
  }
  // Plain http has no randomUUID; the bits of version 4 are set by hand.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

export const tab = randomId();

export function liveHere() {
  if (navigator.locks) {
    navigator.locks.request(SIGN + tab, () => new Promise(() => {})).catch(() => {});
    return;
  }
  const sign = () => write(SIGN + tab, String(Date.now()));
  sign();
  setInterval(sign, EVERY);
  addEventListener("pagehide", () => remove(SIGN + tab));
  addEventListener("pageshow", sign);
}

function isGone(other) {
  const sign = Number(read(SIGN + other) ?? 0);
  return Math.abs(Date.now() - sign) > SILENT;
}

// Calls ``adopt`` for each other window that left something, once it is gone. ``others``
// lists the windows that have something under the exam's name.
export function whenGone({ others, adopt }) {
  const awaited = new Set([tab]);

  async function wait(other) {
    awaited.add(other);
    const asked = performance.now();
    await navigator.locks.request(SIGN + other, () => {}).catch(() => {});
    if (performance.now() - asked > AT_ONCE) {
      // It was alive until now. If it is being loaded again, its answers are its own.
      await new Promise((resolve) => setTimeout(resolve, COURTESY));
    }
    adopt(other);
    awaited.delete(other);
  }

  function look() {
    for (const other of others()) {
      if (navigator.locks && !awaited.has(other)) {
        wait(other);
      } else if (!navigator.locks && other !== tab && isGone(other)) {
        remove(SIGN + other);
        adopt(other);
      }
    }
  }

  look();
  addEventListener("storage", look);
  if (!navigator.locks) {
    setInterval(look, EVERY);
  }
}

export function tabsUnder(prefix) {
  return new Set(keysUnder(prefix).map((key) => key.slice(prefix.length).split(":")[0]));
}
