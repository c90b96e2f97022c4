/** The command `push`: copies the records of a dump into PostgreSQL, where `serve --from` serves them. */
import { folderState } from '../build/watch.js';
import type { Command } from '../config/command-line.js';
import { startUpText, warningLines } from '../load/report/report-text.js';
import type { PushedCollection } from '../postgres/push.js';
import { count, grouped } from '../text.js';
import { withFiles } from './dump-source.js';
import { newestDump } from './newest-dump.js';
import { pathFault } from './place.js';
import { fail, failAll, say, warn, warnAll, withProgress } from './terminal.js';

export async function pushCommand({ place, isAddedUp, ...target }: Command & { readonly kind: 'push' }): Promise<void> {
  const missing = pathFault(place.paths ?? []);
  if (missing !== undefined) return fail(missing);
  const { push } = await import('../postgres/push.js');
  const pushed = await withFiles((await newestDump(place, isAddedUp)).place, (files) =>
    withProgress(async (onProgress) => {
      const { modifiedAt } = await folderState(files);
      return push({ ...files, ...target, modifiedAt, onProgress });
    }),
  );
  if (!pushed.ok) {
    if ('fault' in pushed) return failAll(pushed);
    fail(pushed.message);
    for (const line of pushed.leftovers)
      warn(`the dump that is served is as it was; this push left, to be dropped, ${line}`);
    return;
  }
  for (const line of startUpText(pushed.report)) say(line);
  warnAll([...warningLines(pushed.report), ...pushed.collections.flatMap(remarks)]);
  for (const { name, size } of pushed.collections) say(`${name}: ${count(size, 'row')}`);
  say(`serves version ${pushed.version} from now on, in schema ${pushed.schema}`);
}

const remarks = ({ name, replaced, cut }: PushedCollection): readonly string[] => [
  ...(replaced > 0 ? [`${name}: ${grouped(replaced)} records were replaced by later ones of the same id`] : []),
  ...(cut > 0
    ? [`${name}: ${grouped(cut)} records have more words than PostgreSQL searches: their last words are not found`]
    : []),
];
