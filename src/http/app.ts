/**
 * The API as a Hono app. Each path has one synchronous handler and no middleware: rate limit, method, parameters,
 * answer. The dataset is read once, at the start of a request, so no answer mixes two.
 */
import { type Context, Hono } from 'hono';
import { internalError, notFound } from '../errors.js';
import type { LoadReport } from '../load/report.js';
import { didYouMean } from '../query/nearest.js';
import { parseParameters } from '../query/parse.js';
import type { Dataset } from '../store/dataset.js';
import { type Answer, errorAnswer, jsonAnswer, respond } from './answer.js';
import type { Envelope } from './page.js';
import { clientKey, createRateLimiter, type RateDecision, rateHeaders } from './rate-limit.js';
import { createRoutes, type Route } from './routes.js';

/** What is served: replaced in whole by a reload. */
export interface Served {
  readonly dataset: Dataset;
  readonly report: LoadReport;
  readonly loadedAt: Date;
}

export interface AppOptions {
  readonly served: () => Served;
  readonly envelope: Envelope;
  readonly maxLimit: number;
  /** Requests a minute for each client; 0 for no limit. */
  readonly rateLimit: number;
  /** The origin that browsers may call from, `*` for any, or null for none but the server's own. */
  readonly corsOrigin: string | null;
  readonly trustProxy: boolean;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Told of every bug that a request ran into. */
  readonly onError: (error: unknown, request: Request) => void;
}

/** What the Node adapter passes along; absent where a test calls the app directly. */
export type Env = { Bindings: { readonly incoming?: { readonly socket: { readonly remoteAddress?: string } } } };
type AppContext = Context<Env>;
type Headers = Readonly<Record<string, string>>;

const ALLOW = 'GET, HEAD, OPTIONS';
const EXPOSED = 'Content-Disposition, ETag, Link, RateLimit, RateLimit-Policy, Retry-After';

export function createApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  const routes = createRoutes(options);
  const paths = [...routes.map((route) => route.path), '/health'];
  const common = commonHeaders(options.corsOrigin);
  const limit = options.rateLimit > 0 ? createRateLimiter(options.rateLimit, options.now) : null;

  /** Counts the request, then answers it; the limit's headers stand on every answer that was counted. */
  const limited = (c: AppContext, answer: () => Answer): Response => {
    if (limit === null) return respond(answer(), common);
    const decision = limit(clientOf(c, options.trustProxy));
    const headers = { ...common, ...rateHeaders(options.rateLimit, decision) };
    return respond(decision.allowed ? answer() : tooMany(options.rateLimit, decision), headers);
  };

  for (const route of routes) {
    app.all(route.path, (c) => limited(c, () => byMethod(c, () => answerRoute(route, c, options.served().dataset))));
  }
  app.all('/health', (c) =>
    respond(
      byMethod(c, () => health(options.served())),
      common,
    ),
  );
  app.notFound((c) => {
    const path = splitTarget(c.req.raw.url).path;
    const answer = () => errorAnswer(notFound(`There is no path ${path}.${didYouMean(path, paths)}`));
    return path.startsWith('/api/') ? limited(c, answer) : respond(answer(), common);
  });
  app.onError((error, c) => {
    options.onError(error, c.req.raw);
    return respond(errorAnswer(internalError), common);
  });
  return app;
}

function commonHeaders(corsOrigin: string | null): Headers {
  const security = { 'X-Content-Type-Options': 'nosniff' };
  if (corsOrigin === null) return security;
  return { ...security, 'Access-Control-Allow-Origin': corsOrigin, 'Access-Control-Expose-Headers': EXPOSED };
}

function byMethod(c: AppContext, get: () => Answer): Answer {
  const { method } = c.req;
  if (method === 'GET' || method === 'HEAD') return get();
  if (method === 'OPTIONS') return preflight;
  const message = `${method} is not allowed here: this API is read-only. Allowed: ${ALLOW}.`;
  return errorAnswer({ code: 'method_not_allowed', message }, { Allow: ALLOW });
}

/** Answers OPTIONS, and with it what a browser asks before a cross-origin request (Fetch standard, section 3.3). */
const preflight: Answer = {
  status: 204,
  type: '',
  body: null,
  headers: {
    Allow: ALLOW,
    'Access-Control-Allow-Methods': ALLOW,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  },
};

function answerRoute(route: Route, c: AppContext, dataset: Dataset): Answer {
  const { path, query } = splitTarget(c.req.raw.url);
  const segment = route.pathParameter && {
    parameter: route.pathParameter,
    segment: path.slice(path.lastIndexOf('/') + 1),
  };
  const parsed = parseParameters(query, route.parameters, segment);
  if (!parsed.ok) return errorAnswer(parsed.error);
  return route.handle({ dataset, values: parsed.values, path, query });
}

/** Path and query string of an absolute URL, as they were sent. */
function splitTarget(url: string): { path: string; query: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const mark = url.indexOf('?', start);
  return mark < 0
    ? { path: url.slice(start), query: '' }
    : { path: url.slice(start, mark), query: url.slice(mark + 1) };
}

function clientOf(c: AppContext, trustProxy: boolean): string {
  const address = c.env?.incoming?.socket.remoteAddress ?? '';
  return clientKey(address, trustProxy ? c.req.header('X-Forwarded-For') : undefined);
}

const tooMany = (limit: number, { resetSeconds }: RateDecision): Answer =>
  errorAnswer(
    {
      code: 'rate_limit_exceeded',
      message: `The limit of ${limit} requests a minute is reached; try again in ${resetSeconds} s.`,
    },
    { 'Retry-After': String(resetSeconds) },
  );

const health = ({ dataset, report, loadedAt }: Served): Answer =>
  jsonAnswer({
    status: 'ok',
    version: dataset.version,
    loadedAt: loadedAt.toISOString(),
    collections: Object.fromEntries([...dataset.collections].map(([name, { size }]) => [name, size])),
    report,
  });
