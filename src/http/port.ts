/**
 * A port that is bound before there is anything to serve: one in use is told at once, and clients that come early wait
 * instead of being refused. Connections are held, unread, until the server takes them over.
 */

import type { Server } from 'node:http';
import { createServer, type Server as NetServer, type Socket } from 'node:net';

export interface Port {
  /** Gives the server the connections that wait, and from here on every new one. */
  handTo(server: Server): Promise<void>;
  /** Refuses all that wait, and whoever comes. */
  close(): void;
}

/**
 * Connections that wait to be accepted, as far as the system allows. Of a burst of more, the rest send their first packet again
 * after a second.
 */
const BACKLOG = 4096;

/** Binds a port, or rejects with the system's error. */
export async function bindPort(host: string, port: number): Promise<Port> {
  const waiting = new Set<Socket>();
  // As `node:http` makes its connections.
  const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  await listeningOn(listener, () => listener.listen({ port, host, backlog: BACKLOG }));
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
      for (const socket of waiting) socket.destroy();
    },
  };
}

function listeningOn(server: NetServer, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    listen();
  });
}
