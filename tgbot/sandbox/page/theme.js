// Light, dark, or as the system has it.

const KEY = "sandbox.theme";
export const THEMES = ["auto", "light", "dark"];

export function theme() {
  return document.documentElement.dataset.theme ?? "auto";
}

export function setTheme(name) {
  const root = document.documentElement;
  if (name === "auto") delete root.dataset.theme;
  else root.dataset.theme = name;
  try {
    if (name === "auto") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, name);
  } catch (error) {
    console.warn("The theme can't be kept.", error);
  }
}
