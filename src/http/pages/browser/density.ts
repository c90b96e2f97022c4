/** The height of a table's rows, which the browser remembers. */
import { recall, remember } from './memory.js';

const DENSITY_KEY = 'compact';

const densityBox = (): HTMLInputElement | null => document.querySelector('#compact');

/** Checks the box as it was left. */
export function restoreDensity(): void {
  const box = densityBox();
  if (box !== null) box.checked = recall(DENSITY_KEY) === true;
}

export function connectDensity(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target === densityBox()) remember(DENSITY_KEY, target.checked);
  });
}
