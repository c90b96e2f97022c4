/** On a narrow screen the filters are a sheet over the page. While it is open, the rest of the page takes no focus. */

export function connectSheet(): void {
  // These events do not bubble, but can be captured. Before the sheet closes, its button must be able to take the focus.
  document.addEventListener('beforetoggle', () => holdFocus(false), true);
  document.addEventListener('toggle', () => holdFocus(), true);
}

/** Called after each change of the page too, which resets the attributes. */
export function holdFocus(isOpen = document.querySelector('.filters:popover-open') !== null): void {
  document.querySelector('.filters')?.setAttribute('role', isOpen ? 'dialog' : 'group');
  for (const element of document.querySelectorAll<HTMLElement>('.skip, .top, main > :not(.filters)'))
    element.inert = isOpen;
}
