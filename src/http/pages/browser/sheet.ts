/** The filters of a narrow screen, which lie over the page: a button or Escape closes them, and the focus returns to what opened them. */

export function connectSheets(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-close]') : null;
    const sheet = button && document.getElementById(button.dataset.close ?? '');
    if (sheet instanceof HTMLDetailsElement) close(sheet);
  });
}

/** Whether one was open. */
export function closeSheet(): boolean {
  const button = document.querySelector<HTMLElement>('details[open] > * > [data-close]');
  const sheet = button?.closest('details');
  // Beside the hits, the panel is no sheet, and its button is not displayed.
  if (!sheet || button?.offsetParent === null) return false;
  close(sheet);
  return true;
}

function close(sheet: HTMLDetailsElement): void {
  sheet.open = false;
  sheet.querySelector('summary')?.focus();
}
