/** The height of a table's rows, which the browser remembers: it is a choice of the reader, and no part of the address. */
const DENSITY_KEY = 'compact';

const densityBox = (): HTMLInputElement | null => document.querySelector('#compact');

/** Checks the box as it was left. Storage may be switched off, and the box then begins unchecked. */
export function restoreDensity(): void {
  const box = densityBox();
  try {
    if (box !== null) box.checked = window.localStorage.getItem(DENSITY_KEY) === 'true';
  } catch {
    return;
  }
}

export function connectDensity(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target !== densityBox()) return;
    try {
      window.localStorage.setItem(DENSITY_KEY, String(target.checked));
    } catch {
      return;
    }
  });
}
