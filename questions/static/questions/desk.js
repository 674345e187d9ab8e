// The question editor beyond its HTML: rows that are added and moved, problems and a
// preview that follow the writing, and a question before unsaved words are left.

const WAIT_MS = 900;
const editor = document.getElementById("editor");

function rowsOf(set) {
  return [...set.querySelectorAll(":scope > [data-rows] > [data-row]")];
}

// The order is what the server reads; it follows the place on the page.
function number(set) {
  rowsOf(set).forEach((row, place) => {
    const order = row.querySelector('input[name$="-ORDER"]');
    if (order) {
      order.value = String(place + 1);
    }
  });
}

function addRow(set) {
  const total = set.querySelector('input[name$="-TOTAL_FORMS"]');
  const html = set.querySelector("template").innerHTML.replaceAll("__prefix__", total.value);
  set.querySelector("[data-rows]").insertAdjacentHTML("beforeend", html);
  total.value = String(Number(total.value) + 1);
  const row = rowsOf(set).at(-1);
  enliven(set, row);
  number(set);
  row.querySelector("input:not([type=hidden]), textarea")?.focus();
}

function move(set, row, step) {
  const rows = rowsOf(set);
  const other = rows[rows.indexOf(row) + step];
  if (!other) {
    return;
  }
  if (step < 0) {
    other.before(row);
  } else {
    other.after(row);
  }
  number(set);
  row.querySelector(step < 0 ? "[data-up]" : "[data-down]").focus();
  later();
}

function enliven(set, row) {
  for (const [name, step] of [["[data-up]", -1], ["[data-down]", 1]]) {
    const button = row.querySelector(name);
    button.hidden = false;
    button.addEventListener("click", () => move(set, row, step));
  }
  const gone = row.querySelector('input[name$="-DELETE"]');
  gone?.addEventListener("change", () => row.toggleAttribute("data-gone", gone.checked));
}

let timer = 0;
let isDirty = false;

function later() {
  isDirty = true;
  clearTimeout(timer);
  timer = setTimeout(look, WAIT_MS);
}

async function look() {
  preview();
  const words = new FormData(editor);
  try {
    const reply = await fetch(editor.dataset.problems, { method: "POST", body: words });
    if (reply.ok) {
      document.getElementById("problems").innerHTML = await reply.text();
    }
  } catch {
    // The server is away: the list stays as it was; saving will say so.
  }
}

// The preview is a form post into a sandboxed frame: its page runs no scripts at all.
function preview() {
  const copy = document.createElement("form");
  copy.method = "post";
  copy.action = editor.dataset.preview;
  copy.target = "preview";
  copy.hidden = true;
  for (const [name, value] of new FormData(editor)) {
    if (typeof value === "string") {
      const field = document.createElement("textarea");
      field.name = name;
      field.value = value;
      copy.append(field);
    }
  }
  document.body.append(copy);
  copy.submit();
  copy.remove();
}

if (editor) {
  editor.closest(".desk").dataset.live = "";
  for (const set of editor.querySelectorAll("[data-formset]")) {
    const add = set.querySelector("[data-add]");
    add.hidden = false;
    add.addEventListener("click", () => addRow(set));
    rowsOf(set).forEach((row) => enliven(set, row));
    number(set);
  }
  editor.addEventListener("input", later);
  editor.addEventListener("submit", (event) => {
    if (event.submitter?.formTarget !== "preview") {
      isDirty = false;
    }
  });
  addEventListener("beforeunload", (event) => {
    if (isDirty) {
      event.preventDefault();
    }
  });
  document.querySelector(".desk [data-focus]")?.focus();
}
