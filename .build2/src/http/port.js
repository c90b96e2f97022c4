/**
 * A port that is bound before there is anything to serve: one in use is told at once, and clients that come early wait
 * instead of being refused. Connections are held, unread, until the server takes them over.
 */
import { createServer } from 'node:net';
/** Binds a port, or rejects with the system's error. */
export async function bindPort(host, port) {
    const waiting = new Set();
    // As `node:http` makes its connections.
    const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) => {
        waiting.add(socket);
        socket.once('close', () => waiting.delete(socket));
        socket.on('error', () => socket.destroy());
    });
    await listeningOn(listener, () => listener.listen(port, host));
    return {
        async handTo(server) {
            await listeningOn(server, () => server.listen(listener));
            for (const socket of waiting) {
                socket.removeAllListeners();
                server.emit('connection', socket);
                socket.resume();
            }
            waiting.clear();
        },
        close() {
            listener.close();
            for (const socket of waiting)
                socket.destroy();
        },
    };
}
function listeningOn(server, listen) {
    return new Promise((resolve, reject) => {
        server.once('error', reject);
        server.once('listening', () => {
            server.off('error', reject);
            resolve();
        });
        listen();
    });
}
