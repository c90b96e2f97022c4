/** The app behind `node:http`: listening, time-outs, request lines on demand, and an end that lets running answers finish. */
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { respond } from './app.js';
import { createObserver } from './log.js';
import { bindPort } from './port.js';
import { headerList } from './response.js';
import { createWire } from './wire/connection.js';
import { countHosts, createMalformed, MAX_HEADER_BYTES } from './wire/malformed.js';
import { createPipeline } from './wire/pipeline.js';
/**
 * Requests have no bodies, so one that is not there in seconds never will be. Idle connections are kept a little longer
 * than the minute for which proxies usually keep theirs, so that none is closed just as a proxy uses it.
 */
const TIMEOUTS = { headersMs: 15_000, requestMs: 30_000, keepAliveMs: 65_000, checkMs: 5_000 };
/** Listens, or rejects with the system's error. */
export async function listen(app, { host, port, bound, onAnswer, timeouts = TIMEOUTS, isAccelerated = true }) {
    const malformed = createMalformed(app.commonHeaders);
    // HTTP/1.0 has requests without a Host; which one is asked for does not matter here.
    const answer = getRequestListener(app.fetch, {
        errorHandler: () => respond(malformed.unreadable, 'GET', app.nextTurn),
        hostname: 'localhost',
    });
    const observer = onAnswer && createObserver((request) => app.clientOf(askedBy(request)), onAnswer);
    const pipelines = new Map();
    function onRequest(request, response) {
        observer?.watch(request, response);
        pipelines.get(request.socket)?.add(response, () => {
            const reply = replyWithoutRoute(request, app.preflight, malformed);
            if (reply === null)
                return void answer(request, response);
            if (reply === malformed.noHost || reply === malformed.twoHosts)
                response.shouldKeepAlive = false;
            response.writeHead(reply.status, headerList(reply.headers)).end(reply.body);
        });
    }
    const server = createServer(limitsOf(timeouts), onRequest);
    // Requests have no bodies here, so none is asked for: the answer follows at once (RFC 9110, section 10.1.1).
    server.on('checkContinue', (request, response) => {
        // Node closes the connection lest an announced body comes after all; where none is announced, it may stay open.
        if (!hasBody(request))
            Object.assign(response, { _expect_continue: false });
        onRequest(request, response);
    });
    server.on('checkExpectation', onRequest);
    // A connection may carry any number of requests.
    server.maxRequestsPerSocket = 0;
    // A client that has ended its side still gets all of its answer. The types of Node 20 lack this.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('clientError', (error, socket) => {
        const pipeline = pipelines.get(socket);
        if (error.code === 'ECONNRESET' || pipeline === undefined)
            socket.destroy();
        // Behind a request that closes the connection nothing is read; its answer is the last.
        else if (error.code !== 'HPE_CLOSED_CONNECTION')
            pipeline.endWith(() => malformed.refuse(error, socket));
    });
    server.on('connect', (_request, socket) => {
        const pipeline = pipelines.get(socket);
        // Node has taken its own listeners off, and looks after this socket no more.
        socket.on('error', () => socket.destroy());
        socket.on('drain', () => pipeline?.drain());
        socket.resume();
        pipeline?.endWith(() => malformed.refuseConnect(socket));
    });
    server.prependListener('connection', (socket) => {
        pipelines.set(socket, createPipeline(socket, app.nextTurn));
        socket.once('close', () => pipelines.delete(socket));
        observer?.begin(socket);
    });
    const wire = isAccelerated ? installWire(server, app, timeouts, malformed, onAnswer) : null;
    await (bound ?? (await bindPort(host, port))).handTo(server);
    return { url: urlOf(server, host), close: (graceMs) => close(server, wire, pipelines, graceMs) };
}
const limitsOf = ({ headersMs, requestMs, keepAliveMs, checkMs }) => ({
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node's own answer to a request without one has no body.
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkMs,
});
const askedBy = ({ socket, headers }) => ({ address: socket.remoteAddress ?? '', fields: headers });
const hasBody = ({ headers }) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
/** The only one that there is, or none. */
const MET_EXPECTATION = /^(?:100-continue)?$/i;
/** The answer to what is asked of the server as a whole, and to what cannot be answered whatever it asks for. */
function replyWithoutRoute({ method, url, headers, rawHeaders, httpVersion }, preflight, { noHost, twoHosts, unmetExpectation }) {
    const hosts = countHosts(rawHeaders);
    if (hosts > 1)
        return twoHosts;
    if (hosts === 0 && httpVersion === '1.1')
        return noHost;
    if (httpVersion === '1.1' && !MET_EXPECTATION.test(headers.expect ?? ''))
        return unmetExpectation;
    return method === 'OPTIONS' && url === '*' ? preflight : null;
}
/** New connections go to the wire first, and from it to the listeners that `node:http` has for them. */
function installWire(server, app, { headersMs, keepAliveMs }, malformed, onAnswer) {
    const listeners = server.listeners('connection');
    const wire = createWire({
        answer: app.plain,
        handToNode(socket, bytes) {
            for (const listener of listeners)
                listener.call(server, socket);
            socket.unshift(bytes);
        },
        onLate: malformed.timeOut,
        firstRequestMs: headersMs,
        keepAliveMs,
        clientOf: app.clientOf,
        onAnswer: onAnswer ?? null,
    });
    server.removeAllListeners('connection').on('connection', wire.accept);
    return wire;
}
function urlOf(server, host) {
    const { port } = server.address();
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
/** Closes a connection as soon as what was written to it is sent. */
function endSoon(socket) {
    if (socket instanceof Socket)
        socket.destroySoon();
    else
        socket.destroy();
}
/** How soon after its last answer a kept-alive connection is closed once the server is ending. */
const SWEEP_MS = 50;
function close(server, wire, pipelines, graceMs) {
    return new Promise((resolve) => {
        // Node's own takes an answer that is written, but not sent yet, for finished and cuts it off; `close` calls it.
        const closeIdle = () => {
            for (const [socket, { isIdle }] of pipelines)
                if (isIdle)
                    endSoon(socket);
        };
        server.closeIdleConnections = closeIdle;
        const sweep = setInterval(closeIdle, SWEEP_MS);
        const limit = setTimeout(() => {
            for (const socket of pipelines.keys())
                socket.destroy();
            wire?.destroy();
        }, graceMs);
        server.close(() => {
            clearInterval(sweep);
            clearTimeout(limit);
            resolve();
        });
        closeIdle();
        wire?.end();
    });
}
