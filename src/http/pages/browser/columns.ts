/**
 * The columns of a table as the reader arranges them. Their order is part of the address: it is that of the boxes in the form
 * of columns, which are dragged, or moved by Alt and an arrow. Their widths are the browser's: the right edge of a header is
 * dragged, or its link takes Shift and an arrow; a double click gives the width of the content back.
 */

const WIDTHS_KEY = 'widths';
const EDGE_PX = 8;
const MIN_WIDTH_PX = 48;
const STEP_PX = 16;

type Widths = Record<string, number>;

/** Pixels by collection and field; none where storage is switched off. */
function storedWidths(): Widths {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(WIDTHS_KEY) ?? '{}');
    const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return {};
  }
}

function store(widths: Widths): void {
  try {
    window.localStorage.setItem(WIDTHS_KEY, JSON.stringify(widths));
  } catch {
    return;
  }
}

const headers = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.scroll thead th')];
const keyOf = (header: HTMLElement): string => `${window.location.pathname} ${header.dataset.field ?? ''}`;

/** Rules, and no attributes of cells: these are the page's, and replaced with each view. */
const rules = new CSSStyleSheet();

/** Draws the stored widths. */
export function restoreWidths(widths: Widths = storedWidths()): void {
  const texts = headers().flatMap((header, i) => {
    const width = widths[keyOf(header)];
    const size = `width: ${width}px; min-width: ${width}px; max-width: ${width}px`;
    return width === undefined ? [] : [`.scroll :is(th, td):nth-child(${i + 1}) { ${size} }`];
  });
  rules.replaceSync(`@media (min-width: 48rem) { ${texts.join('\n')} }`);
}

function setWidth(header: HTMLElement, width: number | undefined): void {
  const { [keyOf(header)]: _, ...others } = storedWidths();
  const widths =
    width === undefined ? others : { ...others, [keyOf(header)]: Math.max(MIN_WIDTH_PX, Math.round(width)) };
  store(widths);
  restoreWidths(widths);
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
  whileDragged(({ clientX }) => setWidth(header, startWidth + clientX - event.clientX));
}

/** Calls `move` until the pointer is released, and then `end`. */
function whileDragged(move: (event: PointerEvent) => void, end?: () => void): void {
  const drag = new AbortController();
  const { signal } = drag;
  const stop = (): void => {
    drag.abort();
    end?.();
  };
  document.addEventListener('pointermove', move, { signal });
  document.addEventListener('pointerup', stop, { signal });
  document.addEventListener('pointercancel', stop, { signal });
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

/** A dragged item takes the place of the one under the pointer. */
function dragItem(event: PointerEvent): void {
  const item = event.target instanceof Element ? event.target.closest<HTMLElement>('.choices li') : null;
  if (item === null || event.button !== 0 || event.pointerType === 'touch') return;
  let hasMoved = false;
  const move = ({ clientX, clientY }: PointerEvent): void => {
    const over = document.elementFromPoint(clientX, clientY)?.closest('.choices li') ?? null;
    if (over === null || over === item || over.parentElement !== item.parentElement) return;
    hasMoved = true;
    if (item.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING) over.after(item);
    else over.before(item);
  };
  whileDragged(move, () => {
    if (hasMoved) preventClick();
  });
}

/** Prevents the click at the end of a drag, which would check the box. Browsers send it at once, or not at all. */
function preventClick(): void {
  const click = new AbortController();
  document.addEventListener('click', (event) => event.preventDefault(), { capture: true, signal: click.signal });
  window.setTimeout(() => click.abort());
}

export function connectColumns(): void {
  document.adoptedStyleSheets.push(rules);
  document.addEventListener('pointerdown', (event) => {
    dragEdge(event);
    dragItem(event);
  });
  document.addEventListener('dblclick', (event) => {
    const header = headerAtEdge(event);
    if (header !== null) setWidth(header, undefined);
  });
  document.addEventListener('keydown', pressKey);
}
