// The exam screen: one question at a time, moving between them, and each change saved.

import { onExamKeys } from "./exam-keys.js";
import * as item from "./item.js";
import { loadItems } from "./items.js";
import { makeSheet } from "./sheet.js";
import { randomId } from "./tabs.js";
import { makeViewing } from "./viewing.js";

const NOTE_PAUSE = 800;
const ITEMS_PAUSE = 1_500;
const NUMBERS = ["none", "one", "two", "three", "four", "five"];

export function runExam(session) {
  const { main, state, base, queue, troubles } = session;
  const rows = state.items;
  const total = rows.length;
  const viewing = makeViewing();
  const sheet = makeSheet({ rows, workOf: queue.latest });
  const heading = document.querySelector("[data-heading]");
  const said = document.querySelector("[data-said]");
  const items = loadItems(main.dataset.itemsAddress);
  let position = state.position;
  let isMoving = false;
  let move = Promise.resolve();

  // -- changes

  function change(part, { wait = 0 } = {}) {
    if (!session.isOver) {
      queue.put(position, { ...queue.latest(position), ...part }, { seconds: viewing.take(position), wait });
      shown(position);
    }
  }

  function shown(place) {
    if (place === position) {
      item.showWork(queue.latest(position));
    }
    sheet.refresh(place);
  }

  function say(words) {
    said.textContent = words;
  }

  function choose(place) {
    const option = item.options()[place];
    if (option) {
      option.input.checked = option.input.type === "radio" || !option.input.checked;
      takeChoice(option);
      const isChosen = queue.latest(position).chosen.includes(option.key);
      say(isChosen ? `${option.letter} chosen` : `${option.letter} not chosen`);
    }
    return Boolean(option);
  }

  function takeChoice(option) {
    const keys = item.chosen();
    const asked = item.asked();
    if (keys.length > asked) {
      option.input.checked = false;
      item.sayTooMany(`This question asks for ${NUMBERS[asked] ?? asked}. Take one back before you choose another.`);
      return;
    }
    item.sayTooMany("");
    change({ chosen: keys });
  }

  function strike(option) {
    if (option) {
      const { struck } = queue.latest(position);
      const isStruck = struck.includes(option.key);
      change({ struck: isStruck ? struck.filter((key) => key !== option.key) : [...struck, option.key] });
      say(isStruck ? `${option.letter} no longer struck out` : `${option.letter} struck out`);
    }
    return Boolean(option);
  }

  function flag() {
    const isFlagged = !queue.latest(position).is_flagged;
    change({ is_flagged: isFlagged });
    say(isFlagged ? "Flagged" : "Flag taken away");
  }

  function clear() {
    item.sayTooMany("");
    change({ chosen: [] });
    say("Answer cleared");
  }

  // -- moving

  // The time on a question goes with its next save, or by itself when it is left.
  function leave() {
    const seconds = viewing.take(position);
    if (seconds === 0 || session.isOver || session.isLeaving) {
      return;
    }
    if (navigator.onLine || queue.has(position)) {
      queue.put(position, queue.latest(position), { seconds });
    } else {
      viewing.giveBack(position, seconds);
    }
  }

  function show(place, { isNew = true } = {}) {
    leave();
    position = place;
    item.put(items.take(place), place, total);
    item.showWork(queue.latest(place));
    item.setOpen(!session.isOver);
    sheet.stand(place);
    viewing.look(place);
    if (isNew) {
      history.pushState(null, "", `${base}${place}/`);
    }
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
    troubles.clear("move");
  }

  function go(wanted) {
    const place = { next: position + 1, previous: position - 1 }[wanted] ?? wanted;
    if (isMoving || place < 1) {
      return;
    }
    isMoving = true;
    move = moveTo(place);
  }

  // A key pressed while the next question is on its way is meant for that one; if it does
  // not come, for none.
  function thereOnly(act) {
    return (...details) => {
      if (!isMoving) {
        return act(...details);
      }
      const from = position;
      move.then(() => position !== from && act(...details));
      return true;
    };
  }

  async function moveTo(place) {
    if (!state.is_linear && place !== "review" && place <= total) {
      await items.within(ITEMS_PAUSE);
    }
    if (items.has(place)) {
      show(place);
    } else if (state.is_linear) {
      await sendOn("next");
    } else {
      await toPage(place === "review" || place > total ? "review" : place);
    }
    isMoving = false;
  }

  // Where the server has to make the page, everything is saved first.
  async function isSent(what) {
    leave();
    const isAllSent = await session.flush();
    if (isAllSent && navigator.onLine) {
      return true;
    }
    const count = queue.unsent();
    const kept = count > 0 ? ` Nothing is lost: ${count === 1 ? "one answer waits" : `${count} answers wait`} on this device and will be sent.` : " Nothing is lost.";
    troubles.tell("move", `${what} comes from the server, which can’t be reached now.${kept} Try again in a moment.`);
    return false;
  }

  async function toPage(place) {
    const what = place === "review" ? "The page before submitting" : "That question";
    if (await isSent(what)) {
      session.go(`${base}${place}/`);
    }
  }

  // An exam without a way back: leaving a question is a request of its own.
  async function sendOn(wanted) {
    if (!(await isSent("The next question"))) {
      return;
    }
    if (queue.conflictOf(position)) {
      troubles.tell("move", "Choose which answer stands before you go on: there is no way back.");
      return;
    }
    session.isLeaving = true;
    session.server.postForm(position, { save_id: randomId(), base: queue.known(position), work: queue.latest(position), seconds: 0 }, wanted);
  }

  // -- what the page's own controls do

  function act(button) {
    const [verb, key] = button.value.split(":");
    if (button.name === "go") {
      go(Number(button.value) || button.value);
    } else if (verb === "strike") {
      strike(item.options().find((option) => option.key === key));
    } else if (verb === "flag") {
      flag();
    } else if (verb === "clear") {
      clear();
    }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[name='go'], button[name='toggle']");
    if (button) {
      event.preventDefault();
      act(button);
    }
  });
  document.addEventListener("change", (event) => {
    const option = item.options().find(({ input }) => input === event.target);
    if (option) {
      takeChoice(option);
    }
  });
  document.addEventListener("input", (event) => {
    if (event.target === item.note()) {
      change({ note: event.target.value }, { wait: NOTE_PAUSE });
    }
  });
  document.addEventListener("focusout", (event) => {
    if (event.target === item.note()) {
      queue.hurry();
    }
  });
  document.addEventListener("submit", (event) => {
    if (event.target === item.form()) {
      event.preventDefault();
      change({ chosen: item.chosen() });
    }
  });
  document.addEventListener("contextmenu", (event) => {
    const row = event.target.closest(".option[data-key]");
    if (row && event.button === 2) {
      event.preventDefault();
      strike(item.options().find((option) => option.row === row));
    }
  });
  addEventListener("popstate", () => {
    const place = Number(location.pathname.slice(base.length).replace("/", ""));
    if (items.has(place)) {
      show(place, { isNew: false });
    } else {
      location.reload();
    }
  });
  addEventListener("pagehide", leave);

  onExamKeys({
    choose: thereOnly(choose),
    // Which option is meant is known by the question on the screen alone.
    strike: (option) => isMoving || strike(option),
    flag: thereOnly(flag),
    go,
    sayTime: session.clock.sayTime,
    isLinear: state.is_linear,
  });
  session.on("changed", shown);
  session.on("open", item.setOpen);
  session.askWith((place) => (place === position ? item.lettersIn(item.form()) : items.letters(place)));
  session.start();
  shown();
  item.showWork(queue.latest(position));
  viewing.look(position);
}
