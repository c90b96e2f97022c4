/**
 * The columns of a table as the reader arranges them. Their order is part of the address: it is that of the boxes in the form
 * of columns, which are dragged, or moved by Alt and an arrow. Widths and pins are the browser's. The right edge of a header is
 * dragged, or its link takes Shift and an arrow; a double click gives the width of the content back. A pinned column does not
 * scroll out of the table: it stays beside the title.
 */

import { recallChoice, rememberChoice } from './choices.js';

const STORAGE_KEY = 'columns';
const EDGE_PX = 8;
const MIN_WIDTH_PX = 48;
const STEP_PX = 16;
/** The share of the table's box that title and pinned columns may cover; further pins have no effect. */
const MAX_PINNED_SHARE = 0.7;

/** The widths and pins of columns that the browser remembers, by collection and field. */
interface RememberedColumns {
  readonly widths: Readonly<Record<string, number>>;
  readonly pins: readonly string[];
}

/** Widths and pins as they were left. */
function stored(): RememberedColumns {
  const { widths, pins }: { widths?: unknown; pins?: unknown } = Object(recallChoice(STORAGE_KEY));
  const entries = Object.entries(Object(widths));
  return {
    widths: Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number')),
    pins: Array.isArray(pins) ? pins.filter((pin) => typeof pin === 'string') : [],
  };
}

const columnHeads = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.scroll thead th')];
const keyOf = (field: string | undefined): string => `${window.location.pathname} ${field ?? ''}`;
const pinButtons = (): NodeListOf<HTMLElement> => document.querySelectorAll<HTMLElement>('.pin');

/**
 * Rules, and no attributes of cells: these are the page's, and replaced with each view. The browser computes the styles of the
 * whole page after a change of rules, so equal ones stay.
 */
function ownRules(): (rules: readonly string[]) => void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  let writtenText = '';
  return (rules) => {
    const text = rules.join('\n');
    if (text !== writtenText) sheet.replaceSync(`@media (min-width: 48rem) { ${text} }`);
    writtenText = text;
  };
}
const [writeWidths, writePins] = [ownRules(), ownRules()];

/** Draws widths and pins. */
export function restoreColumns({ widths, pins }: RememberedColumns = stored()): void {
  const texts = columnHeads().flatMap((header, i) => {
    const width = widths[keyOf(header.dataset.field)];
    const size = `width: ${width}px; min-width: ${width}px; max-width: ${width}px`;
    return width === undefined ? [] : [`.scroll :is(th, td):nth-child(${i + 1}) { ${size} }`];
  });
  writeWidths(texts);
  restorePins(pins);
}

function restorePins(pins: readonly string[]): void {
  for (const button of pinButtons())
    button.setAttribute('aria-pressed', String(pins.includes(keyOf(button.dataset.pin))));
  const isPinned = ({ dataset }: HTMLElement): boolean => pins.includes(keyOf(dataset.field));
  // Without a pin nothing is measured, for which the browser would lay out the page.
  writePins(columnHeads().some(isPinned) ? rulesOfPins(isPinned) : []);
}

/** A pinned column keeps its place until it would leave the table at the left: there it stays, behind those pinned before it. */
function rulesOfPins(isPinned: (header: HTMLElement) => boolean): readonly string[] {
  const room = MAX_PINNED_SHARE * (document.querySelector('.scroll')?.clientWidth ?? 0);
  let covered = 0;
  return columnHeads().flatMap((header, i) => {
    const isTitle = header.matches('.lead');
    const { width } = header.getBoundingClientRect();
    if (!isTitle && (!isPinned(header) || covered + width > room)) return [];
    const leftPixels = covered;
    covered += width;
    return isTitle ? [] : pinRulesOf(i + 1, leftPixels);
  });
}

/** The rules of the column at a place: its cells are above those that scroll, its header is above them too. */
const pinRulesOf = (place: number, leftEdge: number): readonly string[] => [
  `.scroll :is(th, td):nth-child(${place}) { position: sticky; left: ${leftEdge}px; z-index: 1; background: inherit }`,
  `.scroll thead th:nth-child(${place}) { z-index: 2 }`,
];

function arrange(change: Partial<RememberedColumns>): void {
  const arrangement = { ...stored(), ...change };
  rememberChoice(STORAGE_KEY, arrangement);
  restoreColumns(arrangement);
}

/** Without a width, a column is as wide as its content. */
function setWidth({ dataset }: HTMLElement, width?: number): void {
  const { [keyOf(dataset.field)]: _, ...others } = stored().widths;
  const ownWidth = width !== undefined && { [keyOf(dataset.field)]: Math.max(MIN_WIDTH_PX, Math.round(width)) };
  arrange({ widths: { ...others, ...ownWidth } });
}

/** Pins a column, or lets it scroll again. */
function turnPin({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('.pin') : null;
  if (button === null) return;
  const { pins } = stored();
  const key = keyOf(button.dataset.pin);
  arrange({ pins: pins.includes(key) ? pins.filter((pin) => pin !== key) : [...pins, key] });
}

/** The header whose right edge an event is at. */
function headerAtEdge({ target, clientX }: MouseEvent): HTMLElement | null {
  const header = target instanceof Element ? target.closest<HTMLElement>('.scroll th[data-field]') : null;
  return header !== null && header.getBoundingClientRect().right - clientX <= EDGE_PX ? header : null;
}

function dragEdge(event: PointerEvent): void {
  const header = event.button === 0 ? headerAtEdge(event) : null;
  if (header === null) return;
  event.preventDefault();
  const startWidth = header.getBoundingClientRect().width;
  const drag = new AbortController();
  const { signal } = drag;
  const move = ({ clientX }: PointerEvent): void => setWidth(header, startWidth + clientX - event.clientX);
  document.addEventListener('pointermove', move, { signal });
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => drag.abort(), { signal });
}

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

function pressKey(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  if (step === undefined || !(event.target instanceof Element)) return;
  const header = event.shiftKey ? event.target.closest<HTMLElement>('.scroll th[data-field]') : null;
  const item = event.altKey ? event.target.closest<HTMLElement>('.choices li') : null;
  if (header !== null) setWidth(header, header.getBoundingClientRect().width + step * STEP_PX);
  else if (item !== null) moveItem(item, step);
  else return;
  event.preventDefault();
}

/** Moves an item by a place; its box keeps the focus. */
function moveItem(item: HTMLElement, step: -1 | 1): void {
  if (step < 0) item.previousElementSibling?.before(item);
  else item.nextElementSibling?.after(item);
  item.querySelector('input')?.focus();
}

/** The dragged item takes the place of the one under the pointer. */
function dragItem(event: DragEvent, dragged: Element | null): void {
  const over = event.target instanceof Element ? event.target.closest('.choices li') : null;
  if (dragged === null || over === null) return;
  event.preventDefault();
  if (over === dragged) return;
  if (dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING) over.after(dragged);
  else over.before(dragged);
}

export function connectColumns(): void {
  document.addEventListener('pointerdown', dragEdge);
  let dragged: Element | null = null;
  document.addEventListener('dragstart', ({ target }) => {
    dragged = target instanceof Element && target.matches('.choices li') ? target : null;
  });
  document.addEventListener('dragover', (event) => dragItem(event, dragged));
  document.addEventListener('dblclick', (event) => {
    const header = headerAtEdge(event);
    if (header !== null) setWidth(header);
  });
  document.addEventListener('click', turnPin);
  document.addEventListener('keydown', pressKey);
  window.addEventListener('resize', () => restoreColumns());
}
