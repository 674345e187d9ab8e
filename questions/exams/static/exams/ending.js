// The pages at the end of a sitting: what is on its way goes out before anything else.

function minutesLeft(clock) {
  const place = document.querySelector("[data-minutes-left]");
  const left = clock.left();
  if (place && left !== null) {
    const minutes = Math.max(Math.floor(left / 60_000), 0);
    place.textContent = `${minutes} minute${minutes === 1 ? "" : "s"}`;
  }
}

export function runReview(session) {
  const { queue, clock } = session;
  const submit = document.querySelector("[data-submit]");
  const open = document.querySelector("[popovertarget='submit']:not([popovertargetaction])");
  let isSubmitting = false;
  let isChanged = false;

  function send() {
    isSubmitting = true;
    session.isLeaving = true;
    submit.submit();
  }

  function ask() {
    const place = submit.querySelector("[data-unsent]");
    const count = queue.status().waiting;
    place.hidden = false;
    place.querySelector("p").textContent =
      `${count === 1 ? "One answer is" : `${count} answers are`} not saved yet: the server can’t be reached, or it asks which answer stands. ` +
      "Without them, what was saved before counts.";
    place.querySelector("button").onclick = send;
  }

  submit.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSubmitting) {
      return;
    }
    isSubmitting = true;
    const isAllSent = await session.flush();
    isSubmitting = false;
    if (isAllSent && queue.status().waiting === 0) {
      send();
    } else {
      ask();
    }
  });
  open?.addEventListener("click", () => minutesLeft(clock));
  // To a question of this exam: what waits, or asks, goes on there.
  document.addEventListener("click", (event) => {
    session.isLeaving ||= Boolean(event.target.closest(`a[href^="${session.base}"]`));
  });

  // The lists were made before what was on its way arrived: make them again.
  session.on("saved", (isOnlyTime) => {
    isChanged ||= !isOnlyTime;
    setTimeout(() => {
      if (isChanged && queue.unsent() === 0 && !isSubmitting && !session.isOver) {
        session.isLeaving = true;
        location.reload();
      }
    });
  });
  session.on("open", (isOpen) => {
    open?.toggleAttribute("disabled", !isOpen);
  });
  session.start();
}

export function runClosing(session) {
  session.start();
}
