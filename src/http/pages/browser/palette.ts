/**
 * The search of everything in a dialog, on every page: `Ctrl K`, or `/` where the page has no search field. It shows what the
 * page `/search` shows. `?` shows the keys.
 */
import { element, morph } from './morph.js';

/** Results are requested after a pause in typing of this length. */
const TYPING_PAUSE_MS = 80;

export function connectPalette(): void {
  let running: AbortController | null = null;
  let timer = 0;
  const input = element('input', {
    type: 'search',
    'aria-label': 'Search everything',
    placeholder: 'Search everything',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const results = element('div', { class: 'found stack' });
  const dialog = element('dialog', { class: 'palette panel', 'aria-label': 'Search everything' }, input, results);

  async function show(): Promise<void> {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const address = `/search?${new URLSearchParams(input.value.trim() === '' ? {} : { q: input.value })}`;
    const response = await fetch(address, { signal, headers: { Accept: 'text/html' } }).catch(() => null);
    if (response === null || signal.aborted) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.querySelector('.found');
    if (fresh === null || signal.aborted) return;
    fresh.removeAttribute('id');
    for (const part of fresh.querySelectorAll('[id]')) part.removeAttribute('id');
    morph(results, fresh);
  }

  function open(): void {
    if (!dialog.isConnected) document.body.append(dialog);
    if (!dialog.open) dialog.showModal();
    input.value = '';
    input.focus();
    void show();
  }

  const links = (): readonly HTMLElement[] => [...results.querySelectorAll<HTMLElement>('.hits a')];

  function move(step: 1 | -1): void {
    const all = links();
    const focused = document.activeElement;
    const next = (focused instanceof HTMLElement ? all.indexOf(focused) : -1) + step;
    (next < 0 ? input : (all[next] ?? all.at(-1) ?? input)).focus();
  }

  input.addEventListener('input', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void show(), TYPING_PAUSE_MS);
  });
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter' && document.activeElement === input) {
      if (input.value.trim() !== '') window.location.assign(`/search?${new URLSearchParams({ q: input.value })}`);
    } else return;
    event.preventDefault();
  });
  // A click beside the dialog closes it.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
    const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    const isKey = !(event.ctrlKey || event.metaKey || isTyping) && (event.key === '?' || event.key === '/');
    if (!isShortcut && !isKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a.everywhere') : null;
    if (link === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
}
