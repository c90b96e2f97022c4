/**
 * Updates results without a reload. The page at the form's address is fetched, and the main part of this page is made
 * equal to it. The newest request wins. Without an answer the view stays, and says so; an answer
 * that is no page becomes an ordinary navigation.
 */
import { element, morph } from './morph.js';

/** The first key of a burst is sent at once; further ones after a pause in typing of this length. */
const SEARCH_PAUSE_MS = 120;
/** The status of a server that is still loading, whose page reloads itself. */
const LOADING = 503;
/** Typing without a longer pause makes one entry in the history. */
const BURST_MS = 1500;

const form = (): HTMLFormElement | null => document.querySelector('form[data-live]');
const mainElement = (): HTMLElement | null => document.querySelector('main');

/** The fields of a form that are not empty. */
export function formFields(of: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(of)) {
    if (typeof value === 'string' && value.trim() !== '') fields.append(name, value);
  }
  return fields;
}

/** The address that the form would be sent to, with one more parameter if given. */
function formAddress(of: HTMLFormElement, also?: AddressParameter): string {
  const fields = formFields(of);
  if (also !== undefined) fields.append(...also);
  const text = fields.toString().replaceAll('+', '%20');
  return text === '' ? of.action.replace(/\?.*$/, '') : `${of.action.replace(/\?.*$/, '')}?${text}`;
}

/** The focus after a change of the page: on the same element, the main part, or the first or last hit. */
type Focus = 'stay' | 'top' | 'first' | 'last';

/** Goes to the previous or next page of a list; false where there is none. */
export type Turn = (relation: 'prev' | 'next', focus: Exclude<Focus, 'stay'>) => boolean;

type AddressParameter = readonly [name: string, value: string];

export interface ConnectedView {
  /** Shows the view of the form's fields, with one more condition if given. */
  readonly submit: (also?: AddressParameter) => void;
  readonly turn: Turn;
}

/** Attaches the listeners; `refresh` is called after every change of the page. */
export function connectView(refresh: () => void): ConnectedView {
  let running: AbortController | null = null;
  let timer = 0;
  let lastTypedAt = Number.NEGATIVE_INFINITY;
  /** Whether the text being typed has its entry in the history already. A response that never arrived made none. */
  let hasStep = false;

  async function show(address: string, history: 'step' | 'typed' | 'none', focus: Focus): Promise<void> {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const target = mainElement();
    target?.setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(address, { signal, headers: { Accept: 'text/html' } }).catch(() => null);
      if (response === null) {
        if (!signal.aborted) sayUnanswered(address);
        return;
      }
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const fresh = page.querySelector('main');
      if (target === null || fresh === null || response.status === LOADING) throw new Error('no page of results');
      const arrived = response.redirected ? response.url : address;
      if (history === 'typed' && hasStep) window.history.replaceState(null, '', arrived);
      else if (history !== 'none') window.history.pushState(null, '', arrived);
      hasStep = history === 'typed';
      document.title = page.title;
      const focused = document.activeElement;
      const id = focused?.id ?? '';
      morph(target, fresh);
      // The focused element was removed, or reused for another one.
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

  /** Shows the form's view, unless it is shown already. */
  function follow(history: 'step' | 'typed', also?: AddressParameter): void {
    const fields = form();
    if (fields === null) return;
    const address = formAddress(fields, also);
    if (address !== window.location.href) void show(address, history, 'stay');
  }

  function submit(also?: AddressParameter): void {
    window.clearTimeout(timer);
    follow('step', also);
  }

  function type(): void {
    const now = performance.now();
    const sinceLastMs = now - lastTypedAt;
    if (sinceLastMs > BURST_MS) hasStep = false;
    lastTypedAt = now;
    window.clearTimeout(timer);
    if (sinceLastMs > SEARCH_PAUSE_MS) follow('typed');
    else timer = window.setTimeout(() => follow('typed'), SEARCH_PAUSE_MS);
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

/** Keeps the view where the server gave no answer. The line is gone with the next answer, which has none. */
function sayUnanswered(address: string): void {
  const page = mainElement();
  page?.removeAttribute('aria-busy');
  page?.querySelector('.unanswered')?.remove();
  const retry = element('a', { href: address }, 'Retry');
  page?.prepend(element('p', { class: 'unanswered note', role: 'alert' }, 'No answer from the server. ', retry));
}

/** The address of a plain click on a link to another view of the same list. */
function linkWithin(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.hasAttribute('download') || link.closest('main') === null) return null;
  // Links in an SVG have the same attribute, but no `href` that is a string.
  const { origin, pathname, href } = new URL(link.getAttribute('href') ?? '', window.location.href);
  return origin === window.location.origin && pathname === window.location.pathname ? href : null;
}

/** Focuses the element with the id again; if it is hidden or removed, the main part. */
function refocus(id: string): void {
  const element = document.getElementById(id);
  element?.focus();
  if (element === null || element !== document.activeElement) mainElement()?.focus();
}

function toResults(focus: Exclude<Focus, 'stay'>): void {
  const hits = document.querySelectorAll<HTMLElement>('.hit-link');
  const hit = focus === 'top' ? undefined : hits[focus === 'first' ? 0 : hits.length - 1];
  if (focus !== 'last') window.scrollTo({ top: 0 });
  if (hit === undefined) mainElement()?.focus({ preventScroll: true });
  else hit.focus({ preventScroll: focus === 'first' });
}
