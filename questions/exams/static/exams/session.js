// What all pages of a running sitting share: its state, the queue, the clock, and what is
// said of them.

import { makeClock } from "./clock.js";
import { makeConflicts, makeStatus, makeTroubles } from "./notices.js";
import { makeQueue } from "./queue.js";
import { rowsOf } from "./rows.js";
import { makeServer } from "./server.js";

const FLUSH = 3_000;
const OVER = new Set(["late", "time_is_up", "closed", "void"]);

function stateOfPage() {
  const element = document.getElementById("exam-state");
  const state = element ? JSON.parse(element.textContent) : { items: [], milliseconds_left: null };
  return { ...state, items: rowsOf(state.items) };
}

export function begin(main) {
  const state = stateOfPage();
  const base = main.dataset.base;
  const isClosing = main.hasAttribute("data-exam-closing");
  const hooks = { changed: [], saved: [], open: [] };
  const troubles = makeTroubles();
  const showStatus = makeStatus();
  const known = new Map(state.items.map((row) => [row.position, row]));
  const run = (name, ...details) => hooks[name].forEach((hook) => hook(...details));
  const session = { main, state, base, troubles, isLeaving: false, isOver: false, hasTroubles: false };

  const server = makeServer({
    base,
    token: document.querySelector("input[name='csrfmiddlewaretoken']")?.value ?? "",
    onClock: (...reply) => clock.sync(...reply),
  });

  const queue = makeQueue({
    name: base.split("/").at(-2),
    known,
    server,
    on: {
      changed: (position) => run("changed", position),
      saved: (isOnlyTime) => run("saved", isOnlyTime),
      conflict: () => showConflicts(),
      refused(position, { code, sentence }) {
        session.hasTroubles = true;
        const report = OVER.has(code) ? [base, "See how the sitting stands."] : null;
        troubles.tell(`answer ${position}`, `Question ${position}: ${sentence}`, report);
        if (OVER.has(code)) {
          setOver(true);
        }
      },
      moved: showAll,
    },
  });

  let showConflicts = makeConflicts({ queue, lettersOf: null, addressOf: (position) => `${base}${position}/` });

  function showAll() {
    const status = queue.status();
    showStatus({ ...status, isAsking: queue.conflicts().length > 0 });
    showConflicts();
    if (status.isStranger) {
      const signIn = main.dataset.signIn;
      troubles.tell(
        "stranger",
        "You are signed out, or signed in as somebody else. Your answers wait here. Sign in again in another tab, then come back to this one.",
        signIn && [signIn, "Sign in in a new tab", "_blank"],
      );
    } else {
      troubles.clear("stranger");
    }
  }

  function setOver(isOver) {
    if (session.isOver !== isOver) {
      session.isOver = isOver;
      run("open", !isOver);
    }
  }

  async function askState() {
    const reply = await server.state();
    if (reply.kind === "state") {
      queue.learn(rowsOf(reply.items ?? []));
      if (reply.phase !== "running" && !isClosing) {
        setOver(true);
        leaveWhenSent();
      }
    }
    return reply;
  }

  // The server's page says what came of the sitting; until then nothing is given up.
  async function leaveWhenSent() {
    if (await queue.flush(FLUSH)) {
      if (queue.status().waiting === 0 && !session.hasTroubles) {
        session.go(base);
      }
    } else {
      setTimeout(leaveWhenSent, FLUSH);
    }
  }

  const clock = makeClock({
    ask: askState,
    async onEnd() {
      setOver(true);
      troubles.tell("time", "Time is up. What is saved counts; what waits here is being sent.");
      await queue.flush(FLUSH);
      const reply = await askState();
      if (reply.kind !== "state") {
        setTimeout(() => session.isOver && clock.left() <= 0 && askState(), FLUSH);
      }
    },
    onMore() {
      troubles.clear("time");
      setOver(false);
    },
  });

  addEventListener("beforeunload", (event) => {
    if (!session.isLeaving && queue.status().waiting > 0) {
      event.preventDefault();
    }
  });
  setInterval(showAll, 1_000);

  return Object.assign(session, {
    queue,
    server,
    clock,
    on: (name, hook) => hooks[name].push(hook),
    askWith(lettersOf) {
      showConflicts = makeConflicts({ queue, lettersOf, addressOf: null });
    },
    start() {
      if (typeof state.milliseconds_left === "number") {
        const [page] = performance.getEntriesByType("navigation");
        clock.sync(state.milliseconds_left, page?.requestStart ?? 0, page?.responseStart ?? performance.now());
      }
      queue.start();
      showAll();
    },
    flush: () => queue.flush(FLUSH),
    // Leave for an address on purpose: what waits is kept on the device.
    go(address) {
      session.isLeaving = true;
      location.assign(address);
    },
  });
}
