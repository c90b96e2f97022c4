/**
 * Boxes that complete a typed value: a combobox with a list (WAI-ARIA Authoring Practices, "List autocomplete with
 * automatic selection"). Only values of the list can be chosen, so that a filter always finds records.
 */
import { element } from './morph.js';
import { type ConnectedView, formFields } from './view.js';

/** Completions are requested after a pause in typing of this length. */
const PAUSE_MS = 120;

interface Offer {
  readonly name: string;
  readonly count: number;
}

const { compare } = new Intl.Collator('en', { sensitivity: 'base' });

const boxes = (): NodeListOf<HTMLInputElement> => document.querySelectorAll('input.other');
const boxAt = ({ target }: Event): HTMLInputElement | null =>
  target instanceof HTMLInputElement && target.classList.contains('other') ? target : null;

/** Removes the boxes' names, so that the form does not send a typed beginning as a condition. */
export function prepareBoxes(): void {
  for (const box of boxes()) {
    box.removeAttribute('name');
    box.setAttribute('role', 'combobox');
    box.setAttribute('aria-autocomplete', 'list');
    closeList(box);
  }
}

export function connectCompletion(submit: ConnectedView['submit']): void {
  let running: AbortController | null = null;
  let timer = 0;

  const stop = (): void => {
    window.clearTimeout(timer);
    running?.abort();
  };

  /** Shows the values that begin with the box's text, unless the box has lost the focus meanwhile. */
  async function offer(box: HTMLInputElement): Promise<void> {
    stop();
    running = new AbortController();
    const { signal } = running;
    const offers = await fetch(addressFor(box), { signal })
      .then(async (response) => (response.ok ? ((await response.json()) as { data: readonly Offer[] }).data : []))
      .catch(() => []);
    if (!signal.aborted && document.activeElement === box) show(box, offers);
  }

  function choose(box: HTMLInputElement, option: Element | null): void {
    const { completes } = box.dataset;
    const name = fieldName(option);
    if (completes === undefined || name === '') return;
    leave(box);
    submit([completes, name]);
  }

  /** Chooses the selected value. Before the list has arrived, it chooses the value that equals the text. */
  async function enter(box: HTMLInputElement): Promise<void> {
    if (openList(box)?.dataset.text === box.value) return choose(box, selectedIn(box));
    await offer(box);
    const selected = selectedIn(box);
    if (compare(fieldName(selected), box.value) === 0) choose(box, selected);
  }

  /** Closes the list, and cancels a running request, which would open it again. */
  function dismiss(box: HTMLInputElement): void {
    stop();
    closeList(box);
  }

  function leave(box: HTMLInputElement): void {
    box.value = '';
    dismiss(box);
  }

  /** Handles a key; false if the key has no meaning in a box. */
  function press(box: HTMLInputElement, key: string): boolean {
    const isOpen = openList(box) !== null;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (isOpen) move(box, key === 'ArrowDown' ? 1 : -1);
      else void offer(box);
    } else if (key === 'Enter') void enter(box);
    else if (key === 'Escape' && isOpen) dismiss(box);
    else if (key === 'Escape' && box.value !== '') leave(box);
    else return false;
    return true;
  }

  document.addEventListener('input', (event) => {
    const box = boxAt(event);
    if (box === null) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void offer(box), PAUSE_MS);
  });
  document.addEventListener('keydown', (event) => {
    const box = boxAt(event);
    if (box === null || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    if (press(box, event.key)) event.preventDefault();
  });
  document.addEventListener('focusout', (event) => {
    const box = boxAt(event);
    if (box !== null) leave(box);
  });
  // The box keeps the focus while its list is clicked.
  document.addEventListener('mousedown', (event) => {
    if (optionAt(event) !== null) event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const option = optionAt(event);
    const box = option?.closest('fieldset')?.querySelector<HTMLInputElement>('input.other');
    if (box) choose(box, option);
  });
}

const optionAt = ({ target }: Event): Element | null =>
  target instanceof Element ? target.closest('.offers [role="option"]') : null;

/** The address of a box's completions, under the form's conditions. */
function addressFor(box: HTMLInputElement): string {
  const fields = box.form === null ? new URLSearchParams() : formFields(box.form);
  fields.set('startsWith', box.value);
  return `${box.form?.action}/complete/${box.dataset.completes}?${fields}`;
}

const openList = (box: HTMLInputElement): HTMLElement | null =>
  box.nextElementSibling instanceof HTMLElement ? box.nextElementSibling : null;
const fieldName = (option: Element | null): string => option?.querySelector('.name')?.textContent ?? '';
const selectedIn = (box: HTMLInputElement): Element | null =>
  openList(box)?.querySelector('[aria-selected="true"]') ?? null;

function show(box: HTMLInputElement, offers: readonly Offer[]): void {
  closeList(box);
  const id = `${box.id}-list`;
  const attributes = { class: 'offers panel', 'data-text': box.value };
  if (offers.length === 0) {
    const text = `No ${box.dataset.completes} here has a word that begins with “${box.value}”.`;
    box.after(element('p', { ...attributes, role: 'status' }, text));
  } else {
    const label = box.getAttribute('aria-label') ?? '';
    const options = offers.map(({ name, count }, i) =>
      element(
        'li',
        { id: `${id}-${i}`, class: 'split', role: 'option' },
        element('bdi', { class: 'name' }, name),
        ' ',
        element('span', { class: 'count' }, count.toLocaleString('en')),
      ),
    );
    box.after(element('ul', { ...attributes, id, role: 'listbox', 'aria-label': label }, ...options));
    box.setAttribute('aria-expanded', 'true');
    box.setAttribute('aria-controls', id);
  }
  openList(box)?.scrollIntoView({ block: 'nearest' });
  move(box, 1);
}

/** Selects the next or the previous option, around the ends. */
function move(box: HTMLInputElement, step: 1 | -1): void {
  const options = [...(openList(box)?.querySelectorAll('[role="option"]') ?? [])];
  const at = options.findIndex((option) => option.ariaSelected === 'true');
  const next = options[(at + step + options.length) % options.length];
  if (next === undefined) return;
  for (const option of options) option.setAttribute('aria-selected', String(option === next));
  box.setAttribute('aria-activedescendant', next.id);
  next.scrollIntoView({ block: 'nearest' });
}

function closeList(box: HTMLInputElement): void {
  openList(box)?.remove();
  box.setAttribute('aria-expanded', 'false');
  box.removeAttribute('aria-controls');
  box.removeAttribute('aria-activedescendant');
}
