// What a line of saves looks like on the device: one entry for each window and question.

import { keysUnder, read, remove, write } from "./store.js";
import { tab } from "./tabs.js";
import { isWork } from "./work.js";

function isSave(thing) {
  const base = thing?.base;
  return typeof thing?.save_id === "string" && Number.isInteger(base?.version) && isWork(base) && isWork(thing.work);
}

// Returns whether the line, if there is one, outlives the page.
export function keepLine(prefix, position, line) {
  const key = `${prefix}${tab}:${position}`;
  if (line) {
    return write(key, JSON.stringify({ first: line.first, next: line.next }));
  }
  remove(key);
  return true;
}

// Returns what the window ``other`` left, without what a crash cut off.
export function leftBy(prefix, other) {
  return keysUnder(`${prefix}${other}:`).map((key) => {
    let left = null;
    try {
      left = JSON.parse(read(key));
    } catch {
      // Nothing to be had from it.
    }
    const [first, next] = [left?.first, left?.next].map((save) => (isSave(save) ? save : null));
    return { key, position: Number(key.split(":").at(-1)), first, next };
  });
}
