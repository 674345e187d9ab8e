// The answer sheet beside the question, and the counts under it.

function wordsOf(row, work) {
  const words = [];
  if (work.chosen.length >= row.choose) {
    words.push("answered");
  } else {
    words.push(work.chosen.length > 0 ? `${work.chosen.length} of ${row.choose} chosen` : "not answered");
  }
  if (work.is_flagged) {
    words.push("flagged");
  }
  return words.join(", ");
}

function isAnswered(row, work) {
  return work.chosen.length >= row.choose;
}

// ``rows`` are the items of the page's state; ``workOf`` gives the latest work on one.
export function makeSheet({ rows, workOf }) {
  const sheet = document.querySelector("[data-sheet]");
  const cells = new Map(rows.map((row, place) => [row.position, sheet?.children[place]?.firstElementChild]));

  function count(name, number) {
    const place = document.querySelector(`[data-count-${name}]`);
    if (place) {
      place.textContent = number;
    }
    return place;
  }

  function update(row) {
    const cell = cells.get(row.position);
    if (cell) {
      const work = workOf(row.position);
      cell.classList.toggle("cell-answered", isAnswered(row, work));
      cell.classList.toggle("cell-partly", work.chosen.length > 0 && !isAnswered(row, work));
      cell.classList.toggle("cell-flag", work.is_flagged);
      cell.querySelector(".unseen").textContent = `, ${wordsOf(row, work)}`;
    }
  }

  function recount() {
    const works = rows.map((row) => [row, workOf(row.position)]);
    const answered = works.filter(([row, work]) => isAnswered(row, work)).length;
    const begun = works.filter(([row, work]) => work.chosen.length > 0 && !isAnswered(row, work)).length;
    count("answered", answered);
    count("incomplete", begun)?.closest("li").toggleAttribute("hidden", begun === 0);
    count("unanswered", rows.length - answered);
    count("flagged", works.filter(([, work]) => work.is_flagged).length);
  }

  return {
    refresh(position) {
      rows.filter((row) => position === undefined || row.position === position).forEach(update);
      recount();
    },
    stand(position) {
      cells.forEach((cell, place) => {
        if (place === position) {
          cell?.setAttribute("aria-current", "step");
        } else {
          cell?.removeAttribute("aria-current");
        }
      });
    },
  };
}
