/**
 * Watches the snapshots' place by looking at it now and then, which works on every file system and for a folder that is
 * not there yet. A change is told once the folder has been at rest for a while: half-written files, and several
 * files one after the other, cause one reload.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { folderState } from './folder-state.js';
const LOOK_EVERY_MS = 250;
/** Looks without a change before the folder counts as at rest. */
const REST_LOOKS = 2;
/** Calls `onChange` after each change since the folder had the signature `before`; ends when the signal aborts. */
export async function watchFolder(place, before, onChange, signal) {
    let known = before;
    let seen = known;
    let restLooks = 0;
    while (!signal.aborted) {
        await wait(LOOK_EVERY_MS, undefined, { ref: false, signal }).catch(() => { });
        const { signature } = await folderState(place);
        restLooks = signature === seen ? restLooks + 1 : 0;
        seen = signature;
        if (seen === known || restLooks < REST_LOOKS)
            continue;
        known = seen;
        onChange();
    }
}
