// The state of all items, as pages and replies carry it: values in this order.

const NAMES = ["position", "version", "chosen", "struck", "is_flagged", "note", "choose"];

export function rowsOf(items) {
  return items.map((values) => Object.fromEntries(NAMES.map((name, place) => [name, values[place]])));
}
