/**
 * Marks covers by their pictures as loaded or broken: a loaded one hides the placeholder below it, a broken one is hidden. Where no
 * picture of a table loads, placeholders say nothing, and the root is marked. A rule of `:has` in place of a mark would have the
 * browser look for it at each change of the page.
 */

export function connectImages(): void {
  // These events do not bubble, but can be captured.
  document.addEventListener('error', (event) => mark(event.target, 'broken'), true);
  document.addEventListener('load', (event) => mark(event.target, 'loaded'), true);
}

function mark(target: EventTarget | null, state: 'broken' | 'loaded'): void {
  const cover = target instanceof HTMLImageElement && target.closest('.cover');
  if (!cover) return;
  cover.classList.toggle('broken', state === 'broken');
  cover.classList.toggle('loaded', state === 'loaded');
  if (cover.closest('td') !== null)
    document.documentElement.classList.toggle('unpictured', document.querySelector('td .loaded') === null);
}

/** Marks covers whose pictures finished before the script ran, or whose mark a change of the page removed. */
export function markImages(): void {
  for (const image of document.images) {
    if (image.complete) mark(image, image.naturalWidth === 0 ? 'broken' : 'loaded');
  }
}
