/**
 * Results without a reload: a form's fields become the address they would have been sent to, that page is fetched, and
 * the main part of this one is made like it. The newest request wins; one that fails becomes an ordinary visit.
 */
import { morph } from './morph.js';

/** Typing pauses longer than this are answered. */
const PAUSE_MS = 120;
/** What is typed without a longer pause than this is one step in the history. */
const BURST_MS = 1500;

const form = (): HTMLFormElement | null => document.querySelector('form[data-live]');
const main = (): HTMLElement | null => document.querySelector('main');

/** The fields of a form; those left empty do not count. */
export function formFields(of: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(of)) {
    if (typeof value === 'string' && value.trim() !== '') fields.append(name, value);
  }
  return fields;
}

/** The address that a form's fields stand for, with one more if there is one. */
function addressOf(of: HTMLFormElement, also?: Pair): string {
  const fields = formFields(of);
  if (also !== undefined) fields.append(...also);
  const text = fields.toString().replaceAll('+', '%20');
  return text === '' ? of.action.replace(/\?.*$/, '') : `${of.action.replace(/\?.*$/, '')}?${text}`;
}

/** What has the focus after a change of the page: what had it, the page as a whole, or one of its hits. */
type Focus = 'stay' | 'top' | 'first' | 'last';

/** Goes to the page before or after this one of a list; false where there is none. */
export type Turn = (relation: 'prev' | 'next', focus: Exclude<Focus, 'stay'>) => boolean;

type Pair = readonly [name: string, value: string];

export interface ConnectedView {
  /** Shows the view that the form asks for, with one more condition if there is one. */
  readonly submit: (also?: Pair) => void;
  readonly turn: Turn;
}

/** Connects the page; `refresh` is called after every change of it. */
export function connectView(refresh: () => void): ConnectedView {
  let running: AbortController | null = null;
  let timer = 0;
  let lastTypedAt = Number.NEGATIVE_INFINITY;
  /** Whether what is being typed has made its step in the history: an answer that never arrived has made none. */
  let hasStep = false;

  async function show(address: string, history: 'step' | 'typed' | 'none', focus: Focus): Promise<void> {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const target = main();
    target?.setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(address, { signal, headers: { Accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const fresh = page.querySelector('main');
      if (target === null || fresh === null) throw new Error('no page');
      const arrived = response.redirected ? response.url : address;
      if (history === 'typed' && hasStep) window.history.replaceState(null, '', arrived);
      else if (history !== 'none') window.history.pushState(null, '', arrived);
      hasStep = history === 'typed';
      document.title = page.title;
      const focused = document.activeElement;
      const id = focused?.id ?? '';
      morph(target, fresh);
      // The element is gone, or has become another one of its kind.
      if (focused?.isConnected === false || (focused?.id ?? '') !== id) refocus(id);
      target.removeAttribute('aria-busy');
      refresh();
      if (focus !== 'stay') toResults(focus);
    } catch (error) {
      if (signal.aborted) return;
      console.warn(error);
      window.location.assign(address);
    }
  }

  /** Shows what the form asks for, unless that is shown already. */
  function follow(history: 'step' | 'typed', also?: Pair): void {
    const fields = form();
    if (fields === null) return;
    const address = addressOf(fields, also);
    if (address !== window.location.href) void show(address, history, 'stay');
  }

  function submit(also?: Pair): void {
    window.clearTimeout(timer);
    follow('step', also);
  }

  function type(): void {
    const now = performance.now();
    if (now - lastTypedAt > BURST_MS) hasStep = false;
    lastTypedAt = now;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => follow('typed'), PAUSE_MS);
  }
  document.addEventListener('input', (event) => {
    const field = event.target;
    if (field instanceof HTMLInputElement && field.type === 'search' && field.form === form()) type();
  });
  document.addEventListener('change', (event) => {
    const field = event.target;
    const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
    if (isField && field.form !== null && field.form === form() && field.type !== 'search') submit();
  });
  document.addEventListener('submit', (event) => {
    if (event.target !== form()) return;
    event.preventDefault();
    lastTypedAt = Number.NEGATIVE_INFINITY;
    submit();
  });
  document.addEventListener('click', (event) => {
    const address = form() === null ? null : linkWithin(event);
    if (address === null) return;
    event.preventDefault();
    const isPage = event.target instanceof Element && event.target.closest('.pager') !== null;
    void show(address, 'step', isPage ? 'top' : 'stay');
  });
  window.addEventListener('popstate', () => {
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    lastTypedAt = Number.NEGATIVE_INFINITY;
    void show(window.location.href, 'none', 'stay');
  });
  return {
    submit,
    turn(relation, focus) {
      const link = document.querySelector<HTMLAnchorElement>(`.pager a[rel="${relation}"]`);
      if (link !== null) void show(link.href, 'step', focus);
      return link !== null;
    },
  };
}

/** The address of a plain click on a link to another view of the same list. */
function linkWithin(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.hasAttribute('download') || link.closest('main') === null) return null;
  // Links in a drawing are elements of another kind, with the same attribute.
  const { origin, pathname, href } = new URL(link.getAttribute('href') ?? '', window.location.href);
  return origin === window.location.origin && pathname === window.location.pathname ? href : null;
}

/** The focus follows what has it to its new place; where that is folded away or gone, to what is there instead. */
function refocus(id: string): void {
  const element = document.getElementById(id);
  for (const candidate of [element, element?.closest('details')?.querySelector('summary'), main()]) {
    candidate?.focus();
    if (candidate === document.activeElement) return;
  }
}

function toResults(focus: Exclude<Focus, 'stay'>): void {
  const hits = document.querySelectorAll<HTMLElement>('.hit-link');
  const hit = focus === 'top' ? undefined : hits[focus === 'first' ? 0 : hits.length - 1];
  if (focus !== 'last') window.scrollTo({ top: 0 });
  if (hit === undefined) main()?.focus({ preventScroll: true });
  else hit.focus({ preventScroll: focus === 'first' });
}
