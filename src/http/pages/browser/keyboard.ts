/** `/` goes to the search field, arrows walk the hits or from record to record, Escape goes back. */

const search = (): HTMLInputElement | null => document.querySelector('input[type="search"]');
const hits = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.hit-link')];

export function connectKeyboard(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    if (handle(event, event.target)) event.preventDefault();
  });
}

/** Whether the key had a meaning here. */
function handle({ key }: KeyboardEvent, target: EventTarget | null): boolean {
  const field = search();
  if (field !== null && target === field) return inSearch(key, field);
  if (isEditable(target)) return false;
  switch (key) {
    case '/':
      field?.select();
      field?.focus();
      return field !== null;
    case 'ArrowDown':
      return walk(target, 1);
    case 'ArrowUp':
      return walk(target, -1);
    case 'ArrowLeft':
      return follow('prev');
    case 'ArrowRight':
      return follow('next');
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

/** Up from the first hit is the search field; a page without hits scrolls as ever. */
function walk(target: EventTarget | null, step: 1 | -1): boolean {
  const all = hits();
  const at = target instanceof HTMLElement ? all.indexOf(target) : -1;
  if (at < 0) return step > 0 && target === document.body && focus(all[0]);
  if (at + step < 0) return focus(search());
  return focus(all[at + step]) || at + step >= all.length;
}

function focus(element: HTMLElement | null | undefined): boolean {
  element?.focus();
  return Boolean(element);
}

/** Only on the page of a record: elsewhere arrows to the sides scroll. */
function follow(relation: 'prev' | 'next' | 'up'): boolean {
  const link = document.querySelector<HTMLAnchorElement>(`.way a[rel="${relation}"]`);
  link?.click();
  return link !== null;
}

function leave(target: EventTarget | null, field: HTMLInputElement | null): boolean {
  if (hits().some((hit) => hit === target)) return focus(field);
  return follow('up');
}

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
