// What the exam says of itself: saved or not, what went wrong, and what it asks.

const HANGING = 4_000;

function many(number, one, several) {
  return `${number} ${number === 1 ? one : several}`;
}

function timeOf(moment) {
  const date = new Date(moment);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

// "Saved" is only ever said with a moment that came from the server.
export function makeStatus() {
  const place = document.querySelector("[data-save-status]");
  const said = document.querySelector("[data-save-said]");
  const check = document.querySelector("[data-check]");
  let savedAt = place?.dataset.savedAt || null;
  let wasFailing = false;

  function wordsFor(status) {
    const hangs = performance.now() - status.since > HANGING;
    if (status.waiting === 0) {
      return ["saved", savedAt ? `Saved ${timeOf(savedAt)}` : ""];
    }
    if (!status.isFailing && !status.isAsking && !hangs) {
      return ["saving", "Saving…"];
    }
    const where = status.isKept ? "on this device" : "in this window only";
    return ["unsaved", `Not saved yet: ${many(status.waiting, "answer waits", "answers wait")} ${where}`];
  }

  return function show(status) {
    savedAt = status.savedAt ?? savedAt;
    const [state, words] = wordsFor(status);
    if (!place || (place.dataset.state === state && place.textContent.trim() === words)) {
      return;
    }
    place.dataset.state = state;
    place.textContent = words && ` ${words}`;
    if (state === "saved" && words && check) {
      place.prepend(check.content.cloneNode(true));
    }
    // Each save would be too much to hear: only that saving fails, and that it works again.
    if (said && state !== "saving" && (state === "unsaved") !== wasFailing) {
      wasFailing = state === "unsaved";
      said.textContent = wasFailing ? words : "Everything is saved.";
    }
  };
}

export function makeTroubles() {
  const place = document.querySelector("[data-trouble]");
  const told = new Map();

  function show() {
    if (place) {
      place.hidden = told.size === 0;
      place.replaceChildren(...told.values());
    }
  }

  return {
    // One sentence under each name; ``link`` is an address and its words.
    tell(name, sentence, link) {
      const line = document.createElement("p");
      line.textContent = sentence;
      if (link) {
        const anchor = document.createElement("a");
        [anchor.href, anchor.textContent] = link;
        if (link[2]) {
          anchor.target = link[2];
        }
        line.append(" ", anchor);
      }
      if (told.get(name)?.textContent !== line.textContent) {
        told.set(name, line);
        show();
      }
    },
    clear(name) {
      if (told.delete(name)) {
        show();
      }
    },
  };
}

function described(work, other, letters) {
  const chosen = letters && [...letters.keys()].filter((key) => work.chosen.includes(key)).map((key) => letters.get(key));
  const parts = [];
  if (chosen) {
    parts.push(chosen.length > 0 ? chosen.join(" and ") : "nothing chosen");
  }
  if (work.is_flagged !== other.is_flagged) {
    parts.push(work.is_flagged ? "flagged" : "not flagged");
  }
  if (work.note !== other.note) {
    parts.push(work.note ? `note “${work.note.slice(0, 80)}”` : "no note");
  }
  return parts.join(", ");
}

// Asks, for each question changed in two places, which answer stands.
export function makeConflicts({ queue, lettersOf, addressOf }) {
  const place = document.querySelector("[data-conflict]");

  function button(words, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button button-small";
    made.textContent = words;
    made.addEventListener("click", act);
    return made;
  }

  function asked(position) {
    const block = document.createElement("div");
    const line = document.createElement("p");
    const changed = `Question ${position} was changed in another window or on another device.`;
    const letters = lettersOf?.(position);
    block.className = "stack stack-tight";
    if (!lettersOf) {
      const link = document.createElement("a");
      [link.href, link.textContent] = [addressOf(position), "Choose which answer stands"];
      line.append(`${changed} `, link);
      block.append(line);
      return block;
    }
    const [mine, other] = [queue.latest(position), queue.conflictOf(position)];
    line.textContent = `${changed} Saved there: ${described(other, mine, letters)}. Yours here: ${described(mine, other, letters)}.`;
    const end = document.createElement("div");
    end.className = "button-end";
    end.append(
      button("Keep mine", () => queue.keepMine(position)),
      button("Keep the other", () => queue.keepOther(position)),
    );
    block.append(line, end);
    return block;
  }

  return function show() {
    if (!place) {
      return;
    }
    const positions = queue.conflicts();
    const blocks = positions.map(asked);
    const isNews = blocks.length !== place.children.length || blocks.some((block, at) => block.textContent !== place.children[at].textContent);
    if (isNews) {
      place.hidden = blocks.length === 0;
      place.replaceChildren(...blocks);
    }
  };
}
