/** Tells of newer records: an open page asks now and then which are served, and never changes by itself. */

const EVERY_MS = 15_000;

interface Health {
  readonly version: string;
  readonly changes?: Readonly<Record<string, { since: string; added: number; removed: number; changed: number }>>;
}

export function connectNews(): void {
  let version: string | null = null;
  const ask = async (): Promise<void> => {
    if (document.visibilityState !== 'visible') return;
    // A server that is stopped for a while is no news.
    const health = await fetch('/health')
      .then((response): Promise<Health> => response.json())
      .catch(() => null);
    if (health === null) return;
    if (version !== null && version !== health.version) tell(health, version);
    version = health.version;
  };
  void ask();
  window.setInterval(() => void ask(), EVERY_MS);
  document.addEventListener('visibilitychange', () => void ask());
}

/** A collection that the reload left as it was keeps an older comparison, which is no news. */
function tell({ changes = {} }: Health, before: string): void {
  const totals = Object.values(changes)
    .filter(({ since }) => since === before)
    .map(({ added, removed, changed }) => added + removed + changed);
  const changed = totals.reduce((sum, total) => sum + total, 0);
  const bar = document.querySelector<HTMLElement>('.news') ?? document.createElement('p');
  const link = document.createElement('a');
  link.href = window.location.href;
  link.textContent = changed === 0 ? 'Newer records: show' : `${changed.toLocaleString('en')} changed: show`;
  bar.className = 'news';
  bar.setAttribute('role', 'status');
  bar.replaceChildren(link);
  document.querySelector('main')?.before(bar);
}
