/**
 * Boxes that complete what is typed: a combobox with a list (WAI-ARIA Authoring Practices, "List autocomplete with
 * automatic selection"). Only what stands in the list can be chosen, so a filter always finds something.
 */
import { type ConnectedView, formFields } from './view.js';

/** Typing pauses longer than this are answered. */
const PAUSE_MS = 120;

interface Offer {
  readonly name: string;
  readonly count: number;
}

const { compare } = new Intl.Collator('en', { sensitivity: 'base' });

const boxes = (): NodeListOf<HTMLInputElement> => document.querySelectorAll('input.other');
const boxAt = ({ target }: Event): HTMLInputElement | null =>
  target instanceof HTMLInputElement && target.classList.contains('other') ? target : null;

/** What is typed is no condition: the boxes have no name, so the form leaves them out. */
export function prepareBoxes(): void {
  for (const box of boxes()) {
    box.removeAttribute('name');
    box.setAttribute('role', 'combobox');
    box.setAttribute('aria-autocomplete', 'list');
    close(box);
  }
}

export function connectCompletion(submit: ConnectedView['submit']): void {
  let running: AbortController | null = null;
  let timer = 0;

  const stop = (): void => {
    window.clearTimeout(timer);
    running?.abort();
  };

  /** Shows the values that begin as the box's text does; nothing where the box has been left meanwhile. */
  async function offer(box: HTMLInputElement): Promise<void> {
    stop();
    running = new AbortController();
    const { signal } = running;
    const response = await fetch(addressFor(box), { signal }).catch(() => null);
    const offers = response?.ok ? ((await response.json()) as { data: readonly Offer[] }).data : [];
    if (!signal.aborted && document.activeElement === box) show(box, offers);
  }

  function choose(box: HTMLInputElement, option: Element | null): void {
    const { completes } = box.dataset;
    const name = option?.querySelector('.name')?.textContent;
    if (completes === undefined || !name) return;
    leave(box);
    submit([completes, name]);
  }

  /** Chooses what is selected; before the list of a text has arrived, the value that is the text. */
  async function enter(box: HTMLInputElement): Promise<void> {
    if (listOf(box)?.dataset.text === box.value) return choose(box, selectedIn(box));
    await offer(box);
    const selected = selectedIn(box);
    if (compare(selected?.querySelector('.name')?.textContent ?? '', box.value) === 0) choose(box, selected);
  }

  /** What was asked for and is still on its way opens the list no more. */
  function dismiss(box: HTMLInputElement): void {
    stop();
    close(box);
  }

  function leave(box: HTMLInputElement): void {
    box.value = '';
    dismiss(box);
  }

  /** Whether the key had a meaning here. */
  function press(box: HTMLInputElement, key: string): boolean {
    const isOpen = listOf(box) !== null;
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

/** The pages' own address for what completes a box, under the conditions that the form holds. */
function addressFor(box: HTMLInputElement): string {
  const fields = box.form === null ? new URLSearchParams() : formFields(box.form);
  fields.set('startsWith', box.value);
  return `${box.form?.action}/complete/${box.dataset.completes}?${fields}`;
}

const listOf = (box: HTMLInputElement): HTMLElement | null =>
  box.nextElementSibling instanceof HTMLElement ? box.nextElementSibling : null;
const optionsOf = (box: HTMLInputElement): readonly Element[] => [
  ...(listOf(box)?.querySelectorAll('[role="option"]') ?? []),
];
const selectedIn = (box: HTMLInputElement): Element | null =>
  listOf(box)?.querySelector('[aria-selected="true"]') ?? null;

function show(box: HTMLInputElement, offers: readonly Offer[]): void {
  close(box);
  const list = document.createElement(offers.length === 0 ? 'p' : 'ul');
  list.className = 'offers';
  list.dataset.text = box.value;
  if (offers.length === 0) {
    list.setAttribute('role', 'status');
    list.textContent = `No ${box.dataset.completes} here has a word that begins with “${box.value}”.`;
  } else {
    list.id = `${box.id}-list`;
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', box.getAttribute('aria-label') ?? '');
    list.append(...offers.map((offer, i) => optionFor(offer, `${list.id}-${i}`)));
    box.setAttribute('aria-expanded', 'true');
    box.setAttribute('aria-controls', list.id);
  }
  box.after(list);
  list.scrollIntoView({ block: 'nearest' });
  move(box, 1);
}

function optionFor({ name, count }: Offer, id: string): HTMLElement {
  const option = document.createElement('li');
  option.id = id;
  option.setAttribute('role', 'option');
  const [shown, records] = [document.createElement('bdi'), document.createElement('span')];
  shown.className = 'name';
  shown.textContent = name;
  records.className = 'count';
  records.textContent = count.toLocaleString('en');
  option.append(shown, ' ', records);
  return option;
}

/** Selects the next or the one before; past either end the other. */
function move(box: HTMLInputElement, step: 1 | -1): void {
  const options = optionsOf(box);
  const at = options.findIndex((option) => option.ariaSelected === 'true');
  const next = options[(at + step + options.length) % options.length];
  if (next === undefined) return;
  for (const option of options) option.setAttribute('aria-selected', String(option === next));
  box.setAttribute('aria-activedescendant', next.id);
  next.scrollIntoView({ block: 'nearest' });
}

function close(box: HTMLInputElement): void {
  listOf(box)?.remove();
  box.setAttribute('aria-expanded', 'false');
  box.removeAttribute('aria-controls');
  box.removeAttribute('aria-activedescendant');
}
