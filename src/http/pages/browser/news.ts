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

/** Links to what changed, of comparisons with the version before: an unchanged collection keeps an older comparison. */
function showNotice({ changes = {} }: Health, before: string): void {
  const links = Object.entries(changes).flatMap(([name, { since, added, removed, changed }]) => {
    const total = added + removed + changed;
    if (since !== before || total === 0) return [];
    const text = `${total.toLocaleString('en')} ${total === 1 ? 'change' : 'changes'} of ${name.replaceAll('_', ' ')}`;
    return [element('a', { href: `/${name}/changes` }, text), '. '];
  });
  const reload = element('a', { href: window.location.href }, 'Reload');
  document.querySelector('.news')?.remove();
  document
    .querySelector('main')
    ?.before(element('p', { class: 'news', role: 'status' }, 'New data is loaded. ', ...links, reload));
}
