/**
 * Picking a range on a histogram: with the pointer over its bars, or with two sliders, which take keyboard and touch as
 * browsers do. Either way the bounds of the bins are copied into the form's fields.
 */

interface Parts {
  readonly group: HTMLElement;
  readonly least: HTMLInputElement;
  readonly most: HTMLInputElement;
  readonly min: HTMLInputElement;
  readonly max: HTMLInputElement;
  readonly mins: readonly string[];
  readonly maxes: readonly string[];
}

function partsOf(inside: Element): Parts | null {
  const group = inside.closest<HTMLElement>('fieldset.range');
  const [least, most] = group?.querySelectorAll<HTMLInputElement>('.slider') ?? [];
  const [min, max] = group?.querySelectorAll<HTMLInputElement>('.bounds input') ?? [];
  if (!group || !least || !most || !min || !max) return null;
  return { group, least, most, min, max, mins: textsOf(group.dataset.mins), maxes: textsOf(group.dataset.maxes) };
}

function textsOf(json: string | undefined): readonly string[] {
  const parsed: unknown = JSON.parse(json ?? '[]');
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

/** `submit` is called when a range has been picked. */
export function connectHistograms(submit: () => void): void {
  let startedAt: number | null = null;

  document.addEventListener('input', (event) => {
    const slider = event.target;
    if (!(slider instanceof HTMLInputElement) || !slider.classList.contains('slider')) return;
    const parts = partsOf(slider);
    if (parts === null) return;
    // A slider that is moved past the other stops there.
    if (Number(parts.least.value) > Number(parts.most.value)) {
      slider.value = slider === parts.least ? parts.most.value : parts.least.value;
    }
    pick(parts, Number(parts.least.value), Number(parts.most.value));
  });
  document.addEventListener('change', (event) => {
    if (event.target instanceof Element && event.target.classList.contains('slider')) submit();
  });

  document.addEventListener('pointerdown', (event) => {
    const plot = plotAt(event);
    if (plot === null || event.button !== 0) return;
    startedAt = binAt(plot.svg, plot.parts, event);
    plot.svg.setPointerCapture(event.pointerId);
    pick(plot.parts, startedAt, startedAt);
  });
  document.addEventListener('pointermove', (event) => {
    const plot = plotAt(event);
    if (plot === null || startedAt === null) return;
    const bin = binAt(plot.svg, plot.parts, event);
    pick(plot.parts, Math.min(startedAt, bin), Math.max(startedAt, bin));
  });
  document.addEventListener('pointerup', () => {
    if (startedAt !== null) submit();
    startedAt = null;
  });
  // The browser took the gesture for scrolling.
  document.addEventListener('pointercancel', (event) => {
    const plot = plotAt(event);
    if (startedAt !== null && plot !== null) restore(plot.parts);
    startedAt = null;
  });
}

function plotAt({ target }: Event): { svg: SVGElement; parts: Parts } | null {
  const svg = target instanceof Element ? target.closest<SVGElement>('.plot svg') : null;
  const parts = svg && partsOf(svg);
  return svg && parts ? { svg, parts } : null;
}

function binAt(svg: SVGElement, { mins }: Parts, { clientX }: MouseEvent): number {
  const { left, width } = svg.getBoundingClientRect();
  return Math.min(mins.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * mins.length)));
}

/** Shows a range of bins and writes its bounds into the fields. */
function pick(parts: Parts, from: number, to: number): void {
  parts.least.value = String(from);
  parts.most.value = String(to);
  parts.min.value = parts.mins[from] ?? '';
  parts.max.value = parts.maxes[to] ?? '';
  show(parts);
  parts.group.querySelectorAll('svg g').forEach((bar, i) => {
    bar.querySelector('.some')?.classList.toggle('off', i < from || i > to);
  });
}

/** Back to what the page was rendered with. */
function restore(parts: Parts): void {
  for (const field of [parts.least, parts.most, parts.min, parts.max]) field.value = field.defaultValue;
  show(parts);
}

function show({ least, most, min, max }: Parts): void {
  least.setAttribute('aria-valuetext', min.value || min.placeholder || 'no bound');
  most.setAttribute('aria-valuetext', max.value || max.placeholder || 'no bound');
}

/** What each slider stands for, in words. */
export function showBounds(): void {
  for (const group of document.querySelectorAll('fieldset.range')) {
    const parts = partsOf(group);
    if (parts !== null) show(parts);
  }
}
