// The answers on their way to the server. Each question has a line of at most two saves:
// the first, which never changes once it was tried (its id may be known to the server
// although the reply was lost), and the next, which always is the latest state. Both are
// kept on the device until the server has said "saved".

import { keepLine, leftBy } from "./kept.js";
import { remove } from "./store.js";
import { liveHere, randomId, tabsUnder, whenGone } from "./tabs.js";
import { isSameWork, merged, workOf } from "./work.js";

const AT_ONCE = 3;
const LONGEST_PAUSE = 15_000;

// ``known`` maps positions to the rows that the server has; ``on`` is told of what
// happens: ``changed(position)``, ``saved(isOnlyTime)``, ``conflict(position)``,
// ``refused(position, reply)``, and ``moved()`` after anything that the status shows.
export function makeQueue({ name, known, server, on }) {
  const prefix = `exam:${name}:`;
  const lines = new Map();
  const later = new Set();
  const waiting = new Set();
  const told = { savedAt: null, isKept: true, isStranger: false };
  let failures = 0;
  let resumeAt = 0;
  let timer = null;

  function keep(position) {
    told.isKept = keepLine(prefix, position, lines.get(position));
  }

  function fresh(base, work, seconds) {
    return { save_id: randomId(), base, work, seconds };
  }

  function latest(position) {
    const line = lines.get(position);
    return (line?.next ?? line?.first)?.work ?? workOf(known.get(position));
  }

  function put(position, work, { seconds = 0, wait = 0 } = {}) {
    const line = lines.get(position) ?? { first: null, next: null, since: performance.now() };
    const before = line.next?.seconds ?? 0;
    // The version that the next is based on is filled in when its turn comes.
    line.next = fresh(line.next?.base ?? known.get(position), work, before + seconds);
    line.notBefore = performance.now() + wait;
    lines.set(position, line);
    keep(position);
    pump();
  }

  function settled(position, line) {
    if (!line.first && !line.next) {
      lines.delete(position);
    }
    keep(position);
    if (!lines.has(position)) {
      [...later].forEach(adopt);
    }
  }

  async function send(position, line) {
    if (!line.first) {
      line.first = line.next;
      line.next = null;
      keep(position);
    }
    const save = line.first;
    line.isFlying = true;
    on.moved();
    const reply = await server.save(position, save);
    line.isFlying = false;
    told.isStranger = reply.kind === "stranger";
    if (reply.kind === "away" || reply.kind === "stranger") {
      failures += 1;
      resumeAt = performance.now() + Math.min(LONGEST_PAUSE, 1000 * 2 ** (failures - 1));
    } else {
      failures = 0;
      resumeAt = 0;
      answers[reply.kind](position, line, save, reply);
    }
    on.moved();
    pump();
  }

  const answers = {
    saved(position, line, save, reply) {
      known.set(position, { ...known.get(position), ...save.work, version: reply.version });
      told.savedAt = reply.savedAt;
      line.first = null;
      if (line.next) {
        line.next.base = known.get(position);
      }
      settled(position, line);
      on.saved(isSameWork(save.work, save.base));
    },
    stale(position, line, save, reply) {
      const mine = line.next ?? save;
      const together = merged(save.base, mine.work, reply.stored);
      const seconds = save.seconds + (line.next?.seconds ?? 0);
      known.set(position, { ...known.get(position), ...reply.stored });
      told.savedAt ??= reply.stored.saved_at;
      if (!together) {
        line.conflict = reply.stored;
        keep(position);
        on.conflict(position);
        return;
      }
      line.first = null;
      line.next = isSameWork(together, reply.stored) ? null : fresh(known.get(position), together, seconds);
      settled(position, line);
      on.changed(position);
    },
    refused(position, line, save, reply) {
      line.first = null;
      settled(position, line);
      on.refused(position, reply);
      on.changed(position);
    },
  };

  function schedule(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(pump, milliseconds);
  }

  function pump() {
    clearTimeout(timer);
    const now = performance.now();
    if (now < resumeAt) {
      schedule(resumeAt - now);
    } else {
      const ready = [...lines].filter(([, line]) => !line.isFlying && !line.conflict);
      const due = ready.filter(([, line]) => line.first || line.notBefore <= now);
      const flying = [...lines.values()].filter((line) => line.isFlying).length;
      // After a failure one goes ahead to see whether the server is back.
      const room = (failures > 0 ? 1 : AT_ONCE) - flying;
      due.slice(0, Math.max(room, 0)).forEach(([position, line]) => send(position, line));
      const rest = ready.filter((one) => !due.includes(one)).map(([, line]) => line.notBefore - now);
      if (rest.length > 0) {
        schedule(Math.min(...rest));
      }
    }
    if (unsent() === 0) {
      waiting.forEach((done) => done());
    }
    on.moved();
  }

  // How many could still go out by themselves; what asks its owner can't.
  function unsent() {
    return [...lines.values()].filter((line) => !line.conflict).length;
  }

  function hurry() {
    failures = 0;
    resumeAt = 0;
    lines.forEach((line) => {
      line.notBefore = 0;
    });
    pump();
  }

  // Returns whether everything that can be sent was sent within the time.
  async function flush(milliseconds) {
    hurry();
    if (unsent() > 0) {
      let done;
      const sent = new Promise((resolve) => {
        done = resolve;
        waiting.add(done);
      });
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, milliseconds))]);
      waiting.delete(done);
    }
    return unsent() === 0;
  }

  // Take over what a window that is gone left behind.
  function adopt(other) {
    later.delete(other);
    for (const { key, position, first, next } of leftBy(prefix, other)) {
      if (lines.has(position) && (first || next)) {
        later.add(other);
        continue;
      }
      if (known.size === 0 || known.has(position)) {
        take(position, first, next);
      }
      remove(key);
    }
    pump();
  }

  function take(position, first, next) {
    if (first || next) {
      lines.set(position, { first, next, notBefore: 0, since: performance.now() });
      keep(position);
      on.changed(position);
    }
  }

  function keepMine(position) {
    const line = lines.get(position);
    const seconds = (line.first?.seconds ?? 0) + (line.next?.seconds ?? 0);
    const work = latest(position);
    Object.assign(line, { first: null, next: fresh(known.get(position), work, seconds), conflict: null, notBefore: 0 });
    keep(position);
    pump();
  }

  function keepOther(position) {
    Object.assign(lines.get(position), { first: null, next: null, conflict: null });
    settled(position, lines.get(position));
    on.changed(position);
    pump();
  }

  // Take what another device saved, where nothing of ours is on its way.
  function learn(rows) {
    for (const row of rows) {
      if (!lines.has(row.position) && row.version > (known.get(row.position)?.version ?? -1)) {
        known.set(row.position, { ...known.get(row.position), ...row });
        on.changed(row.position);
      }
    }
  }

  function start() {
    liveHere();
    whenGone({ others: () => tabsUnder(prefix), adopt });
    addEventListener("online", hurry);
    addEventListener("pageshow", hurry);
    document.addEventListener("visibilitychange", () => document.hidden || hurry());
  }

  return {
    start, put, latest, flush, hurry, learn, keepMine, keepOther, unsent,
    known: (position) => known.get(position),
    conflictOf: (position) => lines.get(position)?.conflict ?? null,
    conflicts: () => [...lines].filter(([, line]) => line.conflict).map(([position]) => position),
    has: (position) => lines.has(position),
    status: () => ({
      ...told,
      waiting: lines.size,
      isFailing: failures > 0,
      since: Math.min(...[...lines.values()].map((line) => line.since)),
    }),
  };
}
