/** Copy buttons, and the address of this server in the texts that they copy. */

const STATUS_MS = 2000;

export function connectCopying(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null;
    const source = button && document.getElementById(button.dataset.copy ?? '');
    if (button && source) void copy(source, button);
  });
}

/** Copies the text. Plain HTTP from another machine has no clipboard: then the text is selected, to be copied by hand. */
async function copy(source: HTMLElement, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    showStatus(button, 'Copied');
  } catch {
    document.getSelection()?.selectAllChildren(source);
    showStatus(button, 'Press Ctrl+C');
  }
}

function showStatus(button: HTMLElement, text: string): void {
  const label = [...button.childNodes];
  button.setAttribute('aria-live', 'polite');
  button.replaceChildren(text);
  window.setTimeout(() => {
    button.replaceChildren(...label);
    button.removeAttribute('aria-live');
  }, STATUS_MS);
}

/** Puts the origin at which the reader is into the texts: pages are rendered with that of the options, or a default. */
export function showOrigin(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-origin]')) {
    const { origin } = element.dataset;
    if (origin) element.textContent = (element.textContent ?? '').replaceAll(origin, window.location.origin);
  }
}
