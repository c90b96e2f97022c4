import { keepOpen } from './socket.js';
/** A connection's requests are all looked through for each of its answers. */
const MAX_PER_CONNECTION = 20;
export function createFuzzClient(url) {
    let connection = null;
    let asked = 0;
    function close() {
        connection?.socket.destroy();
        connection = null;
        asked = 0;
    }
    return {
        async ask({ method, bytes, isLast }) {
            connection ??= keepOpen(url);
            const startedAt = performance.now();
            connection.write(bytes);
            const answer = await connection.next(method === 'HEAD');
            const ms = performance.now() - startedAt;
            const isKept = answer?.headers.get('connection') === 'keep-alive' && !isLast;
            if (!isKept || ++asked === MAX_PER_CONNECTION)
                close();
            return { answer, ms };
        },
        close,
    };
}
