// What is kept on this device. Storage may be closed, full, or emptied under us: then a
// setting holds for this page only, and whoever writes is told that nothing was kept.

const held = new Map();

export function read(key) {
  try {
    return localStorage.getItem(key) ?? held.get(key) ?? null;
  } catch {
    return held.get(key) ?? null;
  }
}

// Returns whether the text outlives the page.
export function write(key, text) {
  try {
    localStorage.setItem(key, text);
    held.delete(key);
    return true;
  } catch {
    held.set(key, text);
    return false;
  }
}

export function remove(key) {
  held.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept there.
  }
}

export function keysUnder(prefix) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
