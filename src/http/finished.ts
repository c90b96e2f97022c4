/**
 * A page that has been made once, with what is sent for each coding that a client prefers: made when first asked for,
 * the same bytes ever after.
 */
import type { Rendering } from './answer.js';
import type { Coding } from './coding.js';
import type { Validators } from './conditional.js';
import { type HeaderList, notModified, type Reply, validatorHeaders, wholeReply } from './reply.js';

export interface Finished {
  readonly validators: Validators;
  readonly reply: (coding: Coding) => Reply;
  readonly notModified: (coding: Coding) => Reply;
}

type WholeRendering = Rendering & { readonly body: Uint8Array<ArrayBuffer> };

/** `onBytes` is told of every byte that the page keeps. */
export function finish(
  type: string,
  { body, headers }: WholeRendering,
  validators: Validators,
  common: HeaderList,
  onBytes: (bytes: number) => void,
): Finished {
  const replies: Partial<Record<Coding, Reply>> = {};
  const unmodified: Partial<Record<Coding, Reply>> = {};

  function make(coding: Coding): Reply {
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
