/** Marks pictures as loaded or broken: a loaded one hides the placeholder below it, a broken one is hidden. */

export function connectImages(): void {
  // These events do not bubble, but can be captured.
  document.addEventListener('error', (event) => mark(event.target, 'broken'), true);
  document.addEventListener('load', (event) => mark(event.target, 'loaded'), true);
}

function mark(target: EventTarget | null, state: 'broken' | 'loaded'): void {
  if (!(target instanceof HTMLImageElement)) return;
  target.classList.toggle('broken', state === 'broken');
  target.classList.toggle('loaded', state === 'loaded');
}

/** Marks pictures that finished before the script ran, or whose mark a change of the page removed. */
export function markImages(): void {
  for (const image of document.images) {
    if (image.complete) mark(image, image.naturalWidth === 0 ? 'broken' : 'loaded');
  }
}
