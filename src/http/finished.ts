/**
 * A page of a dataset with what is sent for each coding that a client prefers: made when first asked for, the same bytes
 * ever after. To be told that nothing has changed, a page need not have been made.
 */
import { isDownload, type Rendering, type Representation } from './answer.js';
import type { Coding } from './coding.js';
import type { Validators } from './conditional.js';
import { type HeaderList, notModified, type Reply, validatorHeaders, wholeReply } from './reply.js';

export interface Finished {
  readonly validators: Validators;
  readonly reply: (coding: Coding) => Reply;
  readonly notModified: (coding: Coding) => Reply;
}

interface Made {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Rendering['headers'];
}

/** `onBytes` is told of every byte that the page keeps, when it comes to keep it. */
export function finish(
  { type, render }: Representation,
  validators: Validators,
  common: HeaderList,
  onBytes: (bytes: number) => void,
): Finished {
  const replies: Partial<Record<Coding, Reply>> = {};
  const unmodified: Partial<Record<Coding, Reply>> = {};
  let made: Made | null = null;

  function madeOnce(): Made {
    if (made !== null) return made;
    const { body, headers } = render();
    if (isDownload(body)) throw new Error('a download cannot be kept');
    made = { body: typeof body === 'string' ? Buffer.from(body) : body, headers };
    onBytes(made.body.byteLength);
    return made;
  }

  function make(coding: Coding): Reply {
    const { body, headers } = madeOnce();
    const shared = validatorHeaders(validators, coding, common);
    const reply = wholeReply(type, body, headers, shared, coding);
    replies[coding] = reply;
    if (reply.body !== body && reply.body instanceof Uint8Array) onBytes(reply.body.byteLength);
    return reply;
  }

  return {
    validators,
    reply: (coding) => replies[coding] ?? make(coding),
    notModified(coding) {
      unmodified[coding] ??= notModified(validators, coding, common);
      return unmodified[coding];
    },
  };
}
