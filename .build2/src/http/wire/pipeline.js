/** With more requests due than this, no more are read. */
const MAX_DUE = 64;
export function createPipeline(socket, nextTurn) {
    const due = [];
    let refuse = null;
    let isEnding = false;
    /** Begins the first answer; it stays in front until it is over. */
    function begin() {
        const [first] = due;
        if (first === undefined)
            refuse?.();
        else {
            first.response.once('close', () => end(first.response));
            first.answer();
        }
    }
    function end(response) {
        if (due.length === MAX_DUE)
            socket.resume();
        due.shift();
        // What stands behind a request that closes the connection is not processed (RFC 9112, section 9.6).
        if (!response.shouldKeepAlive || socket.destroyed)
            due.length = 0;
        if (!response.shouldKeepAlive)
            [isEnding, refuse] = [true, null];
        if (due.length > 0 || refuse !== null)
            void nextTurn().then(begin);
    }
    return {
        get isIdle() {
            return due.length === 0;
        },
        add(response, answer) {
            if (isEnding)
                return;
            const length = due.push({ response, answer });
            if (length === 1)
                begin();
            else if (length > MAX_DUE)
                socket.pause();
        },
        endWith(last) {
            if (isEnding)
                return;
            isEnding = true;
            refuse = last;
            if (due.length === 0)
                begin();
        },
        drain: () => void due[0]?.response.emit('drain'),
    };
}
