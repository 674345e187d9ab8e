// What is asked of the server, and its replies in few kinds: "saved", "stale", "refused",
// "state", "away" (no network, or the server can't now: try again), and "stranger" (it
// does not know us any more, as after signing out).

const PATIENCE = 20_000;

async function ask(address, options = {}) {
  const sentAt = performance.now();
  let response;
  let told = null;
  try {
    const signal = AbortSignal.timeout?.(PATIENCE);
    const headers = { Accept: "application/json", ...options.headers };
    response = await fetch(address, { cache: "no-store", ...options, headers, signal });
    if (response.headers.get("Content-Type")?.includes("application/json")) {
      told = await response.json();
    }
  } catch {
    return { status: 0 };
  }
  return {
    status: response.status,
    told,
    isElsewhere: response.redirected,
    sentAt,
    receivedAt: performance.now(),
  };
}

function isAway({ status, told, isElsewhere }) {
  // A page where there should be data is a gate on the way, as hotels have them.
  return status === 0 || status >= 500 || status === 429 || (status < 300 && (isElsewhere || !told));
}

function body(entry) {
  const fields = new URLSearchParams({
    save_id: entry.save_id,
    base_version: entry.base.version,
    is_flagged: entry.work.is_flagged ? "on" : "",
    note: entry.work.note,
    seconds: entry.seconds,
  });
  entry.work.chosen.forEach((key) => fields.append("answer", key));
  entry.work.struck.forEach((key) => fields.append("struck", key));
  return fields;
}

// ``base`` is the sitting's address; ``onClock`` is told of each time left that comes.
export function makeServer({ base, token, onClock }) {
  function tellClock({ told, sentAt, receivedAt }) {
    if (typeof told.milliseconds_left === "number") {
      onClock(told.milliseconds_left, sentAt, receivedAt);
    }
  }

  async function state() {
    const reply = await ask(`${base}state/`);
    if (reply.status === 200 && reply.told && !reply.isElsewhere) {
      token = reply.told.token;
      for (const input of document.querySelectorAll("input[name='csrfmiddlewaretoken']")) {
        input.value = token;
      }
      tellClock(reply);
      return { kind: "state", ...reply.told };
    }
    return { kind: isAway(reply) && !reply.isElsewhere ? "away" : "stranger" };
  }

  function post(position, entry) {
    return ask(`${base}${position}/response/`, {
      method: "POST",
      headers: { "X-CSRFToken": token },
      body: body(entry),
      // Sent to the end, even if the page is closed meanwhile.
      keepalive: true,
    });
  }

  // The same save as a form of the page, which leads to where the server says.
  function postForm(position, entry, go) {
    const form = document.createElement("form");
    [form.method, form.action, form.hidden] = ["post", `${base}${position}/response/`, true];
    for (const [name, value] of [...body(entry), ["go", go], ["csrfmiddlewaretoken", token]]) {
      const input = document.createElement("input");
      [input.type, input.name, input.value] = ["hidden", name, value];
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }

  async function save(position, entry) {
    let reply = await post(position, entry);
    if (reply.status === 403 || reply.status === 404) {
      // The token changes with signing in; a sitting is not found by who signed out.
      const found = await state();
      if (found.kind !== "state") {
        return found;
      }
      if (reply.status === 403) {
        reply = await post(position, entry);
      }
    }
    if (isAway(reply) || reply.status === 403) {
      return { kind: "away" };
    }
    if (reply.status === 200) {
      tellClock(reply);
      return { kind: "saved", version: reply.told.version, savedAt: reply.told.saved_at };
    }
    const told = reply.told ?? {};
    if (told.code === "stale" && told.stored) {
      return { kind: "stale", stored: told.stored };
    }
    const sentence = told.sentence ?? `The server did not take this answer (${reply.status}).`;
    return { kind: "refused", code: told.code ?? "", sentence };
  }

  return { state, save, postForm };
}
