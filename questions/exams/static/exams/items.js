// All questions of a sitting without a fixed order of answering: fetched once, so that
// moving between them needs no network. They carry no key and no answer.

import { lettersIn } from "./item.js";

const PAUSE = 5_000;

export function loadItems(address) {
  const templates = new Map();
  let done;
  const ready = new Promise((resolve) => {
    done = resolve;
  });

  async function load() {
    let text = "";
    try {
      const response = await fetch(address);
      text = response.ok ? await response.text() : "";
    } catch {
      // No network: again later.
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const template of page.querySelectorAll("template[data-item-of]")) {
      templates.set(Number(template.dataset.itemOf), template);
    }
    if (templates.size > 0) {
      templates.forEach(fetchImages);
      done();
    } else {
      setTimeout(load, PAUSE);
    }
  }

  function fetchImages(template) {
    for (const image of template.content.querySelectorAll("img[src]")) {
      new Image().src = image.src;
    }
  }

  if (address) {
    load();
    addEventListener("online", () => templates.size > 0 || load());
  }

  return {
    has: (position) => templates.has(position),
    take: (position) => document.importNode(templates.get(position).content, true),
    letters: (position) => (templates.has(position) ? lettersIn(templates.get(position).content) : null),
    within: (milliseconds) => Promise.race([ready, new Promise((resolve) => setTimeout(resolve, milliseconds))]),
  };
}
