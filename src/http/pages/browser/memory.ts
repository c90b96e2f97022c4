/** What the browser remembers for its reader: choices that are no part of the address. Storage may be switched off. */

/** A remembered value; null where there is none. */
export function recall(key: string): unknown {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(value));
  } catch {
    return;
  }
}
