/** Which files of a collection have ids of their own, and from where on the others are numbered. */
import type { OpenedFile } from './open-file.js';
import type { SnapshotFault } from './report.js';
import type { Surveyor } from './survey.js';

export interface IdPlan {
  /** The files whose records are given ids by position. */
  readonly byPosition: ReadonlySet<OpenedFile>;
  /** The largest id that any record of the other files has; counted only where there are both kinds. */
  readonly largest: number;
}

export async function planIds(files: readonly OpenedFile[], surveyor: Surveyor): Promise<IdPlan | SnapshotFault> {
  const byPosition = new Set<OpenedFile>();
  for (const source of files) {
    const has = await surveyor.hasIds(source);
    if (typeof has !== 'boolean') return has;
    if (!has) byPosition.add(source);
  }
  let largest = 0;
  for (const source of byPosition.size > 0 ? files : []) {
    if (byPosition.has(source)) continue;
    const found = await surveyor.largestId(source);
    if (typeof found !== 'number') return found;
    largest = Math.max(largest, found);
  }
  return { byPosition, largest };
}
