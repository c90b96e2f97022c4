/**
 * The filters of a narrow screen, which lie over the page as a dialog. Meanwhile the rest of the page takes no focus. A
 * button or Escape closes the dialog, and the focus returns to its summary.
 */

export function connectSheets(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-close]') : null;
    const sheet = button && document.getElementById(button.dataset.close ?? '');
    if (sheet instanceof HTMLDetailsElement) closeAndFocus(sheet);
  });
  // These events do not bubble, but can be captured.
  document.addEventListener('toggle', showAsDialog, true);
  window.addEventListener('resize', showAsDialog);
}

/** The open sheet. On a wide screen the panel stands beside the hits, and its close button is not displayed. */
function openSheet(): HTMLDetailsElement | null {
  const button = document.querySelector<HTMLElement>('details[open] > * > [data-close]');
  return button?.offsetParent ? button.closest('details') : null;
}

/** Sets the attributes of a dialog; called after each change of the page, which removes them. */
export function showAsDialog(): void {
  const sheet = openSheet();
  const content = document.querySelector('.filters > .groups');
  if (sheet !== null) content?.setAttribute('role', 'dialog');
  else content?.removeAttribute('role');
  for (const element of document.querySelectorAll<HTMLElement>('.skip, .top, main > *')) {
    element.inert = sheet !== null && element !== sheet;
  }
}

/** Closes the sheet; false if none is open. */
export function closeSheet(): boolean {
  const sheet = openSheet();
  if (sheet === null) return false;
  closeAndFocus(sheet);
  return true;
}

function closeAndFocus(sheet: HTMLDetailsElement): void {
  sheet.open = false;
  showAsDialog();
  sheet.querySelector('summary')?.focus();
}
