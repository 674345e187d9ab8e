// The question on the screen: reading what is chosen in it, and showing work in it.

export function form() {
  return document.getElementById("item-form");
}

export function options() {
  return [...(form()?.querySelectorAll(".option[data-key]") ?? [])].map((row) => ({
    key: row.dataset.key,
    letter: row.querySelector(".bubble-letter").textContent.trim(),
    input: row.querySelector("input[name='answer']"),
    strike: row.querySelector(".strike"),
    row,
  }));
}

export function lettersIn(root) {
  const rows = root?.querySelectorAll(".option[data-key]") ?? [];
  return new Map([...rows].map((row) => [row.dataset.key, row.querySelector(".bubble-letter").textContent.trim()]));
}

export function chosen() {
  return options().filter(({ input }) => input.checked).map(({ key }) => key);
}

export function asked() {
  return Number(form()?.dataset.choose ?? 1);
}

export function note() {
  return form()?.querySelector("textarea[name='note']");
}

// "Choose two" says how many are chosen, next to what is asked.
function count(number) {
  const told = form().querySelector("[data-count]");
  if (told && asked() > 1) {
    told.textContent = `${number} of ${asked()} chosen.`;
  }
}

export function showWork(work) {
  for (const { key, row, input, strike } of options()) {
    const isStruck = work.struck.includes(key);
    input.checked = work.chosen.includes(key);
    strike.setAttribute("aria-pressed", String(isStruck));
    if (isStruck) {
      row.dataset.state = "struck";
    } else {
      delete row.dataset.state;
    }
  }
  count(work.chosen.length);
  const field = note();
  // Not under the fingers of somebody who writes.
  if (field && field.value !== work.note && document.activeElement !== field) {
    field.value = work.note;
  }
  if (field && work.note) {
    field.closest("details").open = true;
  }
  const flag = document.querySelector("[data-flag]");
  flag.setAttribute("aria-pressed", String(work.is_flagged));
  flag.querySelector("[data-flag-word]").textContent = work.is_flagged ? "Flagged" : "Flag";
}

// Put another question on the screen. ``content`` is its form, fresh from the bundle.
export function put(content, position, total) {
  document.querySelector("[data-item]").replaceChildren(content);
  document.querySelector("[data-position]").textContent = position;
  const previous = document.querySelector("[data-go='previous']");
  if (previous) {
    previous.hidden = position === 1;
    previous.value = String(Math.max(position - 1, 1));
  }
  document.querySelector("[data-go='review']").hidden = position === total;
  document.querySelector("[data-next-word]").textContent = position === total ? "Review" : "Next";
  const name = document.title.split(" · ").at(-1);
  document.title = `Question ${position} of ${total} · ${name}`;
}

export function sayTooMany(words) {
  const place = form().querySelector("[data-too-many]");
  if (place) {
    place.hidden = !words;
    place.querySelector("span").textContent = words;
  }
}

export function setOpen(isOpen) {
  for (const set of form()?.querySelectorAll("fieldset, textarea, button") ?? []) {
    set.disabled = !isOpen;
  }
  document.querySelector("[data-flag]").disabled = !isOpen;
}
