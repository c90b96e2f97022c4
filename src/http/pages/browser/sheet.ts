/**
 * The filters of a narrow screen, which lie over the page as a dialog: the rest of the page takes no focus meanwhile, a
 * button or Escape closes them, and the focus returns to what opened them.
 */

export function connectSheets(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-close]') : null;
    const sheet = button && document.getElementById(button.dataset.close ?? '');
    if (sheet instanceof HTMLDetailsElement) close(sheet);
  });
  // Such events do not bubble, but they can be captured.
  document.addEventListener('toggle', showAsDialog, true);
  window.addEventListener('resize', showAsDialog);
}

/** Beside the hits, the panel is no sheet, and its button is not displayed. */
function openSheet(): HTMLDetailsElement | null {
  const button = document.querySelector<HTMLElement>('details[open] > * > [data-close]');
  return button?.offsetParent ? button.closest('details') : null;
}

/** After a change of the page, too, which takes the attributes away. */
export function showAsDialog(): void {
  const sheet = openSheet();
  const content = document.querySelector('.filters > .groups');
  if (sheet !== null) content?.setAttribute('role', 'dialog');
  else content?.removeAttribute('role');
  for (const element of document.querySelectorAll<HTMLElement>('.skip, .top, main > *')) {
    element.inert = sheet !== null && element !== sheet;
  }
}

/** Whether one was open. */
export function closeSheet(): boolean {
  const sheet = openSheet();
  if (sheet === null) return false;
  close(sheet);
  return true;
}

function close(sheet: HTMLDetailsElement): void {
  sheet.open = false;
  showAsDialog();
  sheet.querySelector('summary')?.focus();
}
