/**
 * A page of a dataset with what is sent for each coding that a client prefers: made when first asked for, the same bytes
 * ever after. To be told that nothing has changed, a page need not have been made.
 */
import type { Representation } from './answer.js';
import { type HeaderLines, linesOf, notModified, type Reply, validatorLines, wholeReply } from './reply.js';
import type { Coding } from './semantics/content-coding.js';
import type { Validators } from './semantics/preconditions.js';

type Replies = { [coding in Coding]?: Reply };

interface Made {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: HeaderLines;
}

export class Finished {
  /** What the page keeps in memory, beyond its entry in a cache. */
  bytes = 0;
  readonly validators: Validators;
  readonly #common: HeaderLines;
  readonly #type: string;
  /** Let go of once the page is made. */
  #render: Representation['render'] | null;
  #made: Made | null = null;
  readonly #replies: Replies = {};
  readonly #unmodified: Replies = {};

  constructor({ type, render }: Representation, validators: Validators, common: HeaderLines) {
    this.validators = validators;
    this.#common = common;
    this.#type = type;
    this.#render = render;
  }

  reply(coding: Coding): Reply {
    return this.#replies[coding] ?? this.#reply(coding);
  }

  notModified(coding: Coding): Reply {
    const known = this.#unmodified[coding];
    if (known !== undefined) return known;
    const reply = notModified(this.validators, coding, this.#common);
    this.bytes += reply.headers.length;
    this.#unmodified[coding] = reply;
    return reply;
  }

  #reply(coding: Coding): Reply {
    const { body, headers } = this.#make();
    const shared = validatorLines(this.validators, coding, this.#common);
    const reply = wholeReply(this.#type, body, shared + headers, coding);
    this.bytes +=
      reply.headers.length + (reply.body instanceof Uint8Array && reply.body !== body ? reply.body.length : 0);
    this.#replies[coding] = reply;
    return reply;
  }

  #make(): Made {
    if (this.#made !== null) return this.#made;
    if (this.#render === null) throw new Error('a page is made once');
    const { body, headers } = this.#render();
    const made = { body: typeof body === 'string' ? Buffer.from(body) : body, headers: linesOf(headers) };
    this.bytes += made.body.length;
    this.#render = null;
    this.#made = made;
    return made;
  }
}
