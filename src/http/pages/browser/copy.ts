/** Copy buttons, and the address of this server in the texts that they copy. */

const TOLD_MS = 2000;

export function connectCopying(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null;
    const source = button && document.getElementById(button.dataset.copy ?? '');
    if (button && source) void copy(source, button);
  });
}

/** Where the clipboard is out of reach, as on plain HTTP from another machine, the text is selected to be copied by hand. */
async function copy(source: HTMLElement, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    tell(button, 'Copied');
  } catch {
    source.hidden = false;
    document.getSelection()?.selectAllChildren(source);
    tell(button, 'Press Ctrl+C');
  }
}

function tell(button: HTMLElement, text: string): void {
  const before = [...button.childNodes];
  button.setAttribute('aria-live', 'polite');
  button.replaceChildren(text);
  window.setTimeout(() => {
    button.replaceChildren(...before);
    button.removeAttribute('aria-live');
  }, TOLD_MS);
}

/** Pages are the same whatever address they are reached by, so they cannot know it. */
export function showOrigin(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-origin]')) {
    const { origin } = element.dataset;
    if (origin) element.textContent = (element.textContent ?? '').replaceAll(origin, window.location.origin);
  }
}
