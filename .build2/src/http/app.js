/**
 * The resources as a Hono app: one handler for each path, and no middleware. Over a socket the wire answers plain requests
 * from the same resources before Hono is reached (`plain`).
 */
import { Hono } from 'hono';
import { collections } from '../model.js';
import { changesExportRoute, changesRoute, detailRoute, exportRoute, facetRoute, listRoute, searchRoute, statsRoute, valueRoute, } from './api/routes.js';
import { serviceResources } from './api/service.js';
import { createHandler, targetOf } from './handler.js';
import { createPages } from './pages/pages.js';
import { headerList } from './response.js';
import { createRouteTable } from './routing.js';
import { READ_FIELDS } from './semantics/preconditions.js';
import { streamOf } from './semantics/stream.js';
import { createTurns } from './semantics/turns.js';
import { createFastPath } from './wire/fast-path.js';
/** The operations of the API. Of two paths that match a request the first is meant, so parameters stand behind names. */
export const createRoutes = (options) => collections.flatMap((model) => [
    listRoute(`/api/${model.name}`, model, options),
    searchRoute(`/api/${model.name}/search`, model, options),
    ...facets(model, (field, facet) => facetRoute(`/api/${model.name}/${facet}`, model, field, facet, options)),
    statsRoute(`/api/${model.name}/stats`, model),
    changesRoute(`/api/${model.name}/changes`, model, options),
    ...listed(model, ({ name }) => valueRoute(`/api/${model.name}/${name}/:${name}`, model, name, options)),
    detailRoute(`/api/${model.name}/:id`, model),
    exportRoute(`/api/export/${model.name}`, model),
    changesExportRoute(`/api/export/${model.name}/changes`, model),
]);
const facets = ({ fields }, make) => fields.flatMap((field) => (field.facet === undefined ? [] : [make(field, field.facet)]));
const listed = ({ fields }, make) => fields.filter((field) => field.listedByPath).map(make);
export function createApp(options) {
    const app = new Hono();
    const pages = createPages(options);
    const nextTurn = createTurns();
    const api = createHandler(options, nextTurn, pages.nothingAt);
    const routes = createRoutes(options);
    const resources = [...routes, ...serviceResources(options, routes, pages)];
    const paths = resources.map(({ path }) => path);
    const send = (c, reply) => respond(reply, c.req.method, nextTurn);
    const nothing = (c) => send(c, api.nothingAt(requestOf(c), paths));
    const answer = (c, resource) => {
        const request = requestOf(c);
        if (resource.streamed)
            return api.download(resource, request).then((reply) => send(c, reply));
        return send(c, api.fromCache(targetOf(request), request) ?? api.page(resource, request));
    };
    for (const resource of resources)
        app.all(resource.path, (c) => answer(c, resource));
    app.notFound(nothing);
    app.onError((error, c) => {
        options.onError(error, c.req.raw);
        return send(c, api.failure);
    });
    const plain = createFastPath(api, createRouteTable(resources), options.onError);
    return Object.assign(app, {
        plain,
        preflight: api.preflight,
        nextTurn,
        clientOf: api.clientOf,
        commonHeaders: api.commonHeaders,
    });
}
function requestOf(c) {
    const { raw } = c.req;
    const incoming = c.env?.incoming;
    const fields = incoming?.headers ?? Object.fromEntries(READ_FIELDS.map((name) => [name, raw.headers.get(name) ?? undefined]));
    return { method: c.req.method, ...splitTarget(raw.url), fields, address: incoming?.socket.remoteAddress ?? '' };
}
/** Path and query string of an absolute URL, as they were sent. */
function splitTarget(url) {
    const start = url.indexOf('/', url.indexOf('://') + 3);
    const mark = url.indexOf('?', start);
    return mark < 0
        ? { path: url.slice(start), query: '' }
        : { path: url.slice(start, mark), query: url.slice(mark + 1) };
}
/**
 * Headers are a plain object set before the response is made: `@hono/node-server` then sends it without building a
 * `Headers` or reading the body as a stream.
 */
export function respond({ status, headers: lines, body }, method, nextTurn) {
    const headers = {};
    const list = headerList(lines);
    for (let i = 0; i + 1 < list.length; i += 2)
        headers[list[i] ?? ''] = list[i + 1] ?? '';
    if (body === null || method === 'HEAD')
        return new Response(null, { status, headers });
    return new Response(body instanceof Uint8Array ? body : streamOf(body, nextTurn), { status, headers });
}
