/** Choices of the reader that the browser remembers, since they are no part of an address: among them the height of a table's rows. */

/** A remembered choice; null where there is none, or storage is switched off. */
export function recallChoice(key: string): unknown {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

export function rememberChoice(key: string, choice: unknown): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(choice));
  } catch {
    return;
  }
}

const DENSITY_KEY = 'compact';

const densityBox = (): HTMLInputElement | null => document.querySelector('#compact');

/** Checks the box of low rows as it was left. */
export function restoreDensity(): void {
  const box = densityBox();
  if (box !== null) box.checked = recallChoice(DENSITY_KEY) === true;
}

export function connectDensity(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target === densityBox()) rememberChoice(DENSITY_KEY, target.checked);
  });
}
