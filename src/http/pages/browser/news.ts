/** Shows a notice of newer records: an open page polls the version of the records and of their fields, and never changes by itself. */
import { element } from './morph.js';

const POLL_MS = 15_000;

interface Health {
  readonly version: string;
  readonly fields: string;
  readonly changes?: Readonly<Record<string, { since: string; added: number; removed: number; changed: number }>>;
}

export function connectNews(): void {
  let shownHealth: Health | null = null;
  const poll = async (): Promise<void> => {
    if (document.visibilityState !== 'visible') return;
    // A server that does not respond is no news.
    const health = await fetch('/health')
      .then((response): Promise<Health> => response.json())
      .catch(() => null);
    if (health === null) return;
    if (shownHealth !== null && (shownHealth.version !== health.version || shownHealth.fields !== health.fields))
      showNotice(health, shownHealth.version);
    shownHealth = health;
  };
  void poll();
  window.setInterval(() => void poll(), POLL_MS);
  document.addEventListener('visibilitychange', () => void poll());
}

/** Counts only comparisons with the version before: an unchanged collection keeps an older comparison. */
function showNotice({ changes = {} }: Health, before: string): void {
  const totals = Object.values(changes)
    .filter(({ since }) => since === before)
    .map(({ added, removed, changed }) => added + removed + changed);
  const changed = totals.reduce((sum, total) => sum + total, 0);
  const figure =
    changed === 0 ? '' : ` ${changed.toLocaleString('en')} ${changed === 1 ? 'record' : 'records'} changed.`;
  const link = element('a', { href: window.location.href }, 'Reload');
  document.querySelector('.news')?.remove();
  document
    .querySelector('main')
    ?.before(element('p', { class: 'news', role: 'status' }, `New data is loaded.${figure} `, link));
}
