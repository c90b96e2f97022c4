/**
 * Keys and focus: `/` focuses the search field, arrows move between hits, pages of a list and records, Escape goes back. An
 * open sheet of filters holds the focus.
 */
import type { Turn } from './view.js';

const searchField = (): HTMLInputElement | null => document.querySelector('input[type="search"]');
const hits = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.hit-link')];

export function connectKeyboard(turn: Turn): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    if (handle(event, event.target, turn)) event.preventDefault();
  });
}

/** Handles a key; false if it has no meaning here. */
function handle({ key }: KeyboardEvent, target: EventTarget | null, turn: Turn): boolean {
  const field = searchField();
  if (field !== null && target === field) return inSearch(key, field);
  if (isEditable(target)) return false;
  if (target instanceof SVGAElement && moveBetweenBars(key, target)) return true;
  switch (key) {
    case '/':
      field?.select();
      field?.focus();
      return field !== null;
    case 'ArrowDown':
      return moveBetweenHits(target, 1, turn);
    case 'ArrowUp':
      return moveBetweenHits(target, -1, turn);
    case 'ArrowLeft':
      return follow('prev') || turn('prev', isHit(target) ? 'first' : 'top');
    case 'ArrowRight':
      return follow('next') || turn('next', isHit(target) ? 'first' : 'top');
    case 'Escape':
      return leave(target, field);
    default:
      return false;
  }
}

function inSearch(key: string, field: HTMLInputElement): boolean {
  if (key === 'ArrowDown') return focus(hits()[0]);
  if (key !== 'Escape') return false;
  if (field.value === '') field.blur();
  else {
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  return true;
}

/** Arrow keys move between the bars of a chart; the tab key reaches only one of them. */
function moveBetweenBars(key: string, bar: SVGAElement): boolean {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (step === undefined) return false;
  const bars = [...(bar.closest('svg.chart')?.querySelectorAll<SVGAElement>('a') ?? [])];
  const next = bars[bars.indexOf(bar) + step];
  if (next === undefined) return true;
  bar.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
  return true;
}

/**
 * Moves the focus between hits, across the pages of a list, and up from the first hit to the search field. Without hits,
 * the arrow keys scroll.
 */
function moveBetweenHits(target: EventTarget | null, step: 1 | -1, turn: Turn): boolean {
  const all = hits();
  const at = target instanceof HTMLElement ? all.indexOf(target) : -1;
  if (at < 0) return step > 0 && isNowhere(target) && focus(all[0]);
  if (focus(all[at + step])) return true;
  // Behind the last hit of the last page the key does nothing: the browser would scroll.
  return step > 0 ? turn('next', 'first') || true : turn('prev', 'last') || focus(searchField());
}

/** Whether no element has the focus. */
const isNowhere = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof HTMLElement && target.tagName === 'MAIN');

const isHit = (target: EventTarget | null): boolean => hits().some((hit) => hit === target);

function focus(element: HTMLElement | null | undefined): boolean {
  element?.focus();
  return Boolean(element);
}

/** Follows a link of a record's page; false on other pages. */
function follow(relation: 'prev' | 'next' | 'up'): boolean {
  const link = document.querySelector<HTMLAnchorElement>(`.way a[rel="${relation}"]`);
  link?.click();
  return link !== null;
}

function leave(target: EventTarget | null, field: HTMLInputElement | null): boolean {
  if (isHit(target)) return focus(field);
  return follow('up');
}

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;

/** On a narrow screen the filters are a sheet over the page. While it is open, the rest of the page takes no focus. */
export function connectSheet(): void {
  // These events do not bubble, but can be captured. Before the sheet closes, its button must be able to take the focus.
  document.addEventListener('beforetoggle', () => holdFocus(false), true);
  document.addEventListener('toggle', () => holdFocus(), true);
  // A wide screen has the filters beside the results: a sheet that is open when a tablet is turned is closed.
  window.matchMedia('(min-width: 68rem)').addEventListener('change', () => openSheet()?.hidePopover());
}

const openSheet = (): HTMLElement | null => document.querySelector<HTMLElement>('.filters:popover-open');

/** Called after each change of the page too, which resets the attributes. */
export function holdFocus(isOpen = openSheet() !== null): void {
  document.querySelector('.filters')?.setAttribute('role', isOpen ? 'dialog' : 'group');
  for (const element of document.querySelectorAll<HTMLElement>('.skip, .top, main > :not(.filters)'))
    element.inert = isOpen;
}
