// Before the first paint: the theme chosen here, if one was. No choice follows the system.
// Who is signed in has chosen in the profile, and the page says it.
try {
  const theme = localStorage.getItem("theme");
  const isOwn = document.documentElement.dataset.themeAddress;
  if (!isOwn && (theme === "dark" || theme === "light")) {
    document.documentElement.dataset.theme = theme;
  }
} catch {
  // Storage is closed to us: the system's theme holds.
}
