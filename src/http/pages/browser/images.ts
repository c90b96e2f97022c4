/** Pictures that fail make room for the placeholder below them. */

const BROKEN = 'broken';

export function connectImages(): void {
  // Such events do not bubble, but they can be captured.
  document.addEventListener('error', (event) => mark(event.target, true), true);
  document.addEventListener('load', (event) => mark(event.target, false), true);
}

function mark(target: EventTarget | null, isBroken: boolean): void {
  if (target instanceof HTMLImageElement) target.classList.toggle(BROKEN, isBroken);
}

/** Those that failed before the script ran, or whose mark a change of the page took away. */
export function hideBroken(): void {
  for (const image of document.images) mark(image, image.complete && image.naturalWidth === 0);
}
