/**
 * Gives the system back what building has left behind: most of it memory behind typed arrays that were outgrown, which
 * does not count as the runtime's own heap and in a server at rest would never be collected. It takes 30 to 60
 * milliseconds, once after a start and after each reload, in which the thread does nothing else. Nothing is given back
 * early where the runtime has no inspector.
 */
export async function releaseMemory(): Promise<void> {
  const inspector = await import('node:inspector').catch(() => undefined);
  if (inspector === undefined) return;
  const session = new inspector.Session();
  try {
    session.connect();
    // Heap profilers call this (Chrome DevTools Protocol). It also shrinks the room for new objects, which a plain collection keeps.
    await new Promise((resolve) => session.post('HeapProfiler.collectGarbage', resolve));
    session.disconnect();
  } catch {
    // The inspector is forbidden (`--disable-...`, a permission model): the memory is collected when it is needed.
  }
}
