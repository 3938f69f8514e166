// A classic script in the head, before the first paint: a chosen theme must not flash the other one on reload.
try {
  const chosen = localStorage.getItem("sandbox.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch (error) {
  console.warn("The browser keeps no storage for this page; the theme follows the system.", error);
}
