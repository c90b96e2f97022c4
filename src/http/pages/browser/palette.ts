/**
 * The search of everything while one types: below the search field of a page, and on every page in a dialog, by `Ctrl K`, or by
 * `/` where the page has no field. Both show what the page `/search` shows. `?` shows the keys.
 */
import { element, morph } from './morph.js';
import { formFields } from './view.js';

/** The first key of a burst is sent at once; further ones after a pause in typing of this length. */
const TYPING_PAUSE_MS = 80;

/** Shows the results for a form's field in `results`; arrow keys move between them. Returns the function that updates them. */
function connectResults(form: HTMLFormElement, field: HTMLInputElement, results: HTMLElement): () => Promise<void> {
  let running: AbortController | null = null;
  let timer = 0;
  let lastTypedAt = Number.NEGATIVE_INFINITY;

  async function show(): Promise<void> {
    window.clearTimeout(timer);
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const address = `/search?${formFields(form)}`;
    const text = await fetch(address, { signal, headers: { Accept: 'text/html' } })
      .then((response) => response.text())
      .catch(() => null);
    if (text === null || signal.aborted) return;
    const page = new DOMParser().parseFromString(text, 'text/html');
    const fresh = page.querySelector('.found');
    if (fresh === null || signal.aborted) return;
    for (const part of [fresh, ...fresh.querySelectorAll('[id]')]) part.removeAttribute('id');
    fresh.className = results.className;
    fresh.toggleAttribute('hidden', results.hidden !== false);
    const place = focusedPlace();
    morph(results, fresh);
    // A link that is gone takes the focus with it: the next key would be one of the page behind.
    if (place >= 0 && focusedPlace() < 0) focusAt(place);
  }

  const links = (): readonly HTMLElement[] => [...results.querySelectorAll<HTMLElement>('.hits a')];
  const focusedPlace = (): number => links().findIndex((link) => link.matches(':focus'));
  const focusAt = (place: number): void => (place < 0 ? field : (links()[place] ?? links().at(-1) ?? field)).focus();

  form.addEventListener('input', () => {
    const now = performance.now();
    const isBurst = now - lastTypedAt <= TYPING_PAUSE_MS;
    lastTypedAt = now;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void show(), isBurst ? TYPING_PAUSE_MS : 0);
  });
  for (const part of [form, results])
    part.addEventListener('keydown', (event) => {
      if (event.isComposing || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      if (event.target instanceof HTMLSelectElement) return;
      event.preventDefault();
      event.stopPropagation();
      focusAt(focusedPlace() + (event.key === 'ArrowDown' ? 1 : -1));
    });
  return show;
}

/** The box of results below the search field of the home page and of errors. It is open while one types or walks through it. */
function connectField(): void {
  const form = document.querySelector<HTMLFormElement>('form[action="/search"]:not([data-live])');
  const field = form?.querySelector<HTMLInputElement>('[type="search"]');
  if (!form || !field) return;
  const results = element('div', { class: 'found stack panel' });
  results.hidden = true;
  form.append(results);
  const toggle = (): void => {
    results.hidden = field.value.trim() === '' || !form.contains(document.activeElement);
  };
  const show = connectResults(form, field, results);
  form.addEventListener('input', toggle);
  form.addEventListener('focusin', toggle);
  form.addEventListener('focusout', ({ relatedTarget }) => {
    results.hidden = !(relatedTarget instanceof Node && form.contains(relatedTarget));
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || results.hidden) return;
    event.preventDefault();
    event.stopPropagation();
    field.focus();
    results.hidden = true;
  });
  // A text was typed before the script ran, or stands there after a step back.
  if (field.value.trim() !== '') void show();
}

export function connectPalette(): void {
  const field = element('input', {
    type: 'search',
    name: 'q',
    'aria-label': 'Search everything',
    placeholder: 'Search everything',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const form = element('form', { action: '/search', role: 'search' }, field);
  const results = element('div', { class: 'found stack' });
  const dialog = element('dialog', { class: 'palette panel', 'aria-label': 'Search everything' }, form, results);
  const show = connectResults(form, field, results);

  function open(): void {
    if (!dialog.isConnected) document.body.append(dialog);
    if (!dialog.open) dialog.showModal();
    field.value = '';
    field.focus();
    void show();
  }

  // The keys of the page mean nothing in the dialog. Its field may have the focus for a moment after it was closed.
  dialog.addEventListener('keydown', (event) => {
    if (dialog.open) event.stopPropagation();
  });
  // A click beside the dialog closes it.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const isTyping =
      event.target instanceof Element && event.target !== field && event.target.matches('input, select, textarea');
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
  connectField();
}
