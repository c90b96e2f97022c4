import { WINDOW_SECONDS } from '../semantics/rate-limit.js';
import { reference } from './json-schema.js';
const describe = ({ rateLimit, corsOrigin }) => ({
    ETag: {
        description: 'Strong entity tag, for `If-None-Match`.',
        where: ['found'],
        always: true,
        schema: { pattern: '^"[^"]+"$' },
    },
    'Last-Modified': { description: 'When the newest file of the snapshot was modified.', where: ['found'] },
    'Cache-Control': { description: '`no-cache`: keep it, but ask before using it.', where: ['found'], always: true },
    Vary: { description: 'What else an answer depends on.', where: ['found'], always: true },
    'Content-Encoding': { description: '`br` or `gzip` as asked for, from 1 kB on.', where: ['found'] },
    Link: { description: 'Pages and exports of this view (RFC 8288).', where: ['page'] },
    'Content-Disposition': { description: 'A file name for the download.', where: ['file', 'part'], always: true },
    'Accept-Ranges': { description: '`bytes` where a part can be asked for.', where: ['file', 'part'] },
    'Content-Range': { description: 'Which part this is, of how many bytes.', where: ['part', 'range'], always: true },
    'X-Content-Type-Options': {
        description: 'No guessing of types.',
        where: ['every'],
        always: true,
        schema: { const: 'nosniff' },
    },
    'Cross-Origin-Resource-Policy': {
        description: 'Who may embed the answer.',
        where: ['every'],
        always: true,
        schema: { const: corsOrigin === null ? 'same-origin' : 'cross-origin' },
    },
    ...(corsOrigin !== null && {
        'Access-Control-Allow-Origin': {
            description: 'Who may read the answer (CORS).',
            where: ['every'],
            always: true,
            schema: { const: corsOrigin },
        },
        'Access-Control-Expose-Headers': {
            description: 'Headers that scripts may read (CORS).',
            where: ['every'],
            always: true,
        },
    }),
    ...(rateLimit > 0 && {
        'RateLimit-Policy': {
            description: 'Requests per window of so many seconds.',
            where: ['limited'],
            schema: { const: `"default";q=${rateLimit};w=${WINDOW_SECONDS}` },
        },
        RateLimit: {
            description: 'Requests and seconds left.',
            where: ['limited'],
            schema: { pattern: '^"default";r=[0-9]+;t=[0-9]+$' },
        },
    }),
    Allow: { description: 'The methods that are.', where: ['method'], always: true },
    'Retry-After': { description: 'Seconds to wait.', where: ['tooMany'], always: true, schema: { pattern: '^[0-9]+$' } },
});
export function createHeaders(options) {
    const headers = Object.entries(describe(options));
    return {
        components: Object.fromEntries(headers.map(([name, { description, always, schema }]) => [
            name,
            { description, ...(always && { required: true }), schema: { type: 'string', ...schema } },
        ])),
        of: (...where) => Object.fromEntries(headers
            .filter(([, header]) => header.where.some((place) => place === 'every' || where.includes(place)))
            .map(([name]) => [name, reference('headers', name)])),
    };
}
