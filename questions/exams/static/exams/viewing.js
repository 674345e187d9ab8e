// How long a question was in view: counted while the page is visible, handed out in whole
// seconds, each second once.

export function makeViewing() {
  const milliseconds = new Map();
  let current = null;
  let since = null;

  function count() {
    if (since !== null) {
      const now = performance.now();
      milliseconds.set(current, (milliseconds.get(current) ?? 0) + now - since);
      since = now;
    }
  }

  function settle() {
    count();
    since = current !== null && !document.hidden ? performance.now() : null;
  }

  document.addEventListener("visibilitychange", settle);

  return {
    look(place) {
      count();
      since = null;
      current = place;
      settle();
    },
    // Returns the seconds since they were last taken; what is left of a second stays.
    take(place) {
      count();
      const passed = milliseconds.get(place) ?? 0;
      const seconds = Math.floor(passed / 1000);
      milliseconds.set(place, passed - seconds * 1000);
      return seconds;
    },
    giveBack(place, seconds) {
      milliseconds.set(place, (milliseconds.get(place) ?? 0) + seconds * 1000);
    },
  };
}
