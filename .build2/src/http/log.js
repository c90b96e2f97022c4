/** `now` is the wall clock in milliseconds. */
export function createRequestLog(format, now, write) {
    let lines = '';
    const isoTime = createIsoTime();
    function flush() {
        if (lines === '')
            return;
        const written = lines;
        lines = '';
        write(written);
    }
    return {
        add(exchange) {
            if (lines === '')
                setImmediate(flush);
            lines += `${requestLine(format, isoTime(now()), exchange)}\n`;
        },
        flush,
    };
}
/** Time, method, path, status, bytes sent, milliseconds, address. */
function requestLine(format, time, { method, target, status, bytes, tookMs, address }) {
    const ms = Math.round(tookMs * 1000) / 1000;
    if (format === 'text')
        return `${time} ${method} ${target} ${status} ${bytes} ${ms} ${address}`;
    const path = JSON.stringify(target);
    return `{"time":"${time}","method":"${method}","path":${path},"status":${status},"bytes":${bytes},"ms":${ms},"address":"${address}"}`;
}
/** Many requests share a millisecond. */
function createIsoTime() {
    let lastMs = Number.NaN;
    let last = '';
    return (timeMs) => {
        if (timeMs !== lastMs)
            [lastMs, last] = [timeMs, new Date(timeMs).toISOString()];
        return last;
    };
}
export function createObserver(addressOf, onAnswer) {
    /** Bytes that each connection had sent when its last answer was over. */
    const sentBefore = new WeakMap();
    return {
        begin: (socket) => void sentBefore.set(socket, socket.bytesWritten),
        watch(request, response) {
            const startedAt = performance.now();
            const { socket, method = '', url = '' } = request;
            response.once('close', () => {
                const bytes = socket.bytesWritten - (sentBefore.get(socket) ?? 0);
                sentBefore.set(socket, socket.bytesWritten);
                const tookMs = performance.now() - startedAt;
                onAnswer({ method, target: url, status: response.statusCode, bytes, tookMs, address: addressOf(request) });
            });
        },
    };
}
