// What every page does beyond its HTML: the theme switch, printing, and the menu.

const root = document.documentElement;
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : systemIsDark.matches;
}

// In the profile. If that fails, this page has changed all the same.
function keepTheme(address, token) {
  const body = new URLSearchParams({ theme: root.dataset.theme });
  fetch(address, { method: "POST", headers: { "X-CSRFToken": token }, body }).catch(() => {});
}

function switchTheme() {
  root.dataset.theme = isDark() ? "light" : "dark";
  if (root.dataset.themeAddress) {
    keepTheme(root.dataset.themeAddress, root.dataset.themeToken);
    return;
  }
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // Not kept for the next page; this one has changed all the same.
  }
}

for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.hidden = false;
  button.addEventListener("click", switchTheme);
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

// A menu closes on Escape, and gives the focus back.
for (const menu of document.querySelectorAll("details.menu")) {
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.open) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
}

// Who writes into a field means the choice that it belongs to.
for (const field of document.querySelectorAll("[data-selects]")) {
  field.addEventListener("input", () => {
    const choice = field.form.querySelector(field.dataset.selects);
    if (choice) {
      choice.checked = true;
    }
  });
}
