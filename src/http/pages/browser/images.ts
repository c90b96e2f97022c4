/** Pictures that have arrived hide the placeholder below them; those that fail make room for it. */

export function connectImages(): void {
  // Such events do not bubble, but they can be captured.
  document.addEventListener('error', (event) => mark(event.target, 'broken'), true);
  document.addEventListener('load', (event) => mark(event.target, 'loaded'), true);
}

function mark(target: EventTarget | null, state: 'broken' | 'loaded'): void {
  if (!(target instanceof HTMLImageElement)) return;
  target.classList.toggle('broken', state === 'broken');
  target.classList.toggle('loaded', state === 'loaded');
}

/** Those that were done before the script ran, or whose mark a change of the page took away. */
export function markImages(): void {
  for (const image of document.images) {
    if (image.complete) mark(image, image.naturalWidth === 0 ? 'broken' : 'loaded');
  }
}
