/** Writes responses to a socket as bytes. */
import type { Socket } from 'node:net';

/** Head and body in one buffer, `reusable` if it is large enough. Two writes would cost more than the copy. */
export function messageOf(head: string, body: Uint8Array | null, reusable?: Buffer): Buffer {
  const length = head.length + (body?.length ?? 0);
  const message =
    reusable !== undefined && length <= reusable.length ? reusable.subarray(0, length) : Buffer.allocUnsafe(length);
  message.write(head, 'latin1');
  if (body !== null) message.set(body, head.length);
  return message;
}

/** Size of the reusable buffer, enough for most pages of a list. A client that does not read holds one. */
const BUFFER_BYTES = 1 << 14;

/**
 * A function that sends a message and returns its length. Successive messages reuse one buffer: allocating one for each would
 * double the cost of sending. The buffer is free when the system has taken the whole message, usually at once. Otherwise the
 * next message gets a new buffer.
 */
export function createSend() {
  let reusable = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  return (socket: Socket, head: string, body: Uint8Array | null): number => {
    const isFirst = socket.writableLength === 0;
    const message = messageOf(head, body, isFirst ? reusable : undefined);
    if (!socket.write(message)) socket.pause();
    if (isFirst && socket.writableLength > 0) reusable = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    return message.length;
  };
}
