/**
 * Plain requests answered on the connection itself, before `node:http` sees them: its objects and events for a request
 * cost more than an answer that is ready. A connection is handed to `node:http`, once and for good, with the first
 * bytes that are not one plain request, or whose answer is made while it is sent; nothing is interpreted twice.
 */
import { STATUS_CODES } from 'node:http';
import { wholeMessage } from '../response.js';
import { readPlainRequest } from './request.js';
/** A connection is closed a little later than it is said to be, so that no request meets its end. */
const SPARE_MS = 1000;
export function createWire(options) {
    const { answer, handToNode, onLate, firstRequestMs, keepAliveMs, clientOf, onAnswer } = options;
    const open = new Set();
    const ending = createEnding(keepAliveMs);
    /** Returns false, and has done nothing, where the bytes are not one plain request that is answered at once. */
    function answered(connection, bytes) {
        const startedAt = onAnswer === null ? 0 : performance.now();
        const { socket, address } = connection;
        const request = readPlainRequest(bytes, connection.last);
        if (request === null)
            return false;
        const { method, target, fields } = request;
        const asking = { method, fields, address };
        const reply = answer(target, asking);
        if (reply === null)
            return false;
        const { status, headers } = reply;
        const head = `${statusLine(status)}${headers}${ending()}`;
        const body = method === 'HEAD' ? null : reply.body;
        const sent = wholeMessage(head, body);
        // False where the client does not keep up.
        if (!socket.write(sent))
            socket.pause();
        if (onAnswer !== null) {
            const tookMs = performance.now() - startedAt;
            onAnswer({ method, target, status, bytes: sent.length, tookMs, address: clientOf(asking) });
        }
        return true;
    }
    function accept(socket) {
        const last = { block: null, fields: {} };
        const connection = { socket, address: socket.remoteAddress ?? '', last, isUsed: false };
        const listeners = {
            data(bytes) {
                // What comes after the end of the answers is not answered.
                if (!socket.writable)
                    return;
                if (!answered(connection, bytes))
                    return void leave(bytes);
                if (!connection.isUsed)
                    socket.setTimeout(keepAliveMs + SPARE_MS);
                connection.isUsed = true;
            },
            timeout: () => (connection.isUsed ? socket.destroy() : onLate(socket)),
            drain: () => socket.resume(),
            end: () => socket.end(),
            error: () => socket.destroy(),
            close: () => open.delete(socket),
        };
        function leave(bytes) {
            for (const [event, listener] of Object.entries(listeners))
                socket.off(event, listener);
            open.delete(socket);
            socket.setTimeout(0);
            handToNode(socket, bytes);
        }
        for (const [event, listener] of Object.entries(listeners))
            socket.on(event, listener);
        open.add(socket);
        socket.setTimeout(firstRequestMs);
    }
    return {
        accept,
        end() {
            for (const socket of open)
                socket.destroySoon();
        },
        destroy() {
            for (const socket of open)
                socket.destroy();
        },
    };
}
const statusLine = (status) => `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
/** The last header lines and the empty one: the time, to the second, and how long the connection is kept. */
function createEnding(keepAliveMs) {
    let second = 0;
    let lines = '';
    return () => {
        const now = Math.floor(Date.now() / 1000);
        if (now !== second) {
            second = now;
            const date = new Date(now * 1000).toUTCString();
            lines = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
        }
        return lines;
    };
}
