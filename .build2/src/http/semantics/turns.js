/**
 * Turns of the event loop, which all long work shares: one is given in each round of the loop, so that however many
 * exports are sent, requests are read and answered in between.
 */
export function createTurns() {
    const waiting = [];
    function give() {
        waiting.shift()?.();
        if (waiting.length > 0)
            setImmediate(give);
    }
    return () => new Promise((resolve) => {
        if (waiting.push(resolve) === 1)
            setImmediate(give);
    });
}
/** A turn ends behind the chunk with which it has lasted so long. */
const TURN_MS = 1;
/** Chunks that are made in turns. Whether the reader keeps up does not matter: a write that succeeds at once waits, too. */
export async function* inTurns(chunks, nextTurn) {
    let endsAt = 0;
    const made = chunks[Symbol.iterator]();
    try {
        for (;;) {
            if (performance.now() >= endsAt) {
                await nextTurn();
                endsAt = performance.now() + TURN_MS;
            }
            const { done, value } = made.next();
            if (done)
                return;
            yield value;
        }
    }
    finally {
        made.return?.();
    }
}
