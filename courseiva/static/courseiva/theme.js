// Before the first paint: the theme chosen here, if one was. No choice follows the system.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") {
    document.documentElement.dataset.theme = theme;
  }
} catch {
  // Storage is closed to us: the system's theme holds.
}
