// The work on one question (what is chosen, struck, flagged and noted), and what becomes
// of two changes to it that were made apart.

const FIELDS = ["chosen", "struck", "is_flagged", "note"];

function isSame(field, one, other) {
  if (Array.isArray(one[field])) {
    return one[field].length === other[field].length && one[field].every((key) => other[field].includes(key));
  }
  return one[field] === other[field];
}

export function isSameWork(one, other) {
  return FIELDS.every((field) => isSame(field, one, other));
}

export function workOf(row) {
  return Object.fromEntries(FIELDS.map((field) => [field, row[field]]));
}

// Returns both changes in one, or nothing where they disagree about the same thing.
export function merged(before, mine, theirs) {
  const together = {};
  for (const field of FIELDS) {
    if (isSame(field, mine, before) || isSame(field, mine, theirs)) {
      together[field] = theirs[field];
    } else if (isSame(field, theirs, before)) {
      together[field] = mine[field];
    } else {
      return null;
    }
  }
  return together;
}

export function isWork(thing) {
  return (
    Array.isArray(thing?.chosen) &&
    Array.isArray(thing.struck) &&
    typeof thing.is_flagged === "boolean" &&
    typeof thing.note === "string"
  );
}
