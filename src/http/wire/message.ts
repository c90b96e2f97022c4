/** Responses as the bytes that are sent. */
import type { Socket } from 'node:net';

/** Header lines and body in one piece, written to `room` where that is large enough: two writes would cost more than the copy. */
export function messageOf(head: string, body: Uint8Array | null, room?: Buffer): Buffer {
  const length = head.length + (body?.length ?? 0);
  const message = room !== undefined && length <= room.length ? room.subarray(0, length) : Buffer.allocUnsafe(length);
  message.write(head, 'latin1');
  if (body !== null) message.set(body, head.length);
  return message;
}

/** Most pages fit. One that its client does not read keeps as much. */
const ROOM_BYTES = 1 << 14;

/** Sends a message and returns its length. */
export type Send = (socket: Socket, head: string, body: Uint8Array | null) => number;

/**
 * Messages are written to the same room, one after another: memory of its own for each would cost as much as all the rest of sending it. The
 * room is free again when the system has taken all of a message, which it does at once unless the client does not keep up.
 */
export function createSend(): Send {
  let room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  return (socket, head, body) => {
    const isFirst = socket.writableLength === 0;
    const message = messageOf(head, body, isFirst ? room : undefined);
    if (!socket.write(message)) socket.pause();
    if (isFirst && socket.writableLength > 0) room = Buffer.allocUnsafeSlow(ROOM_BYTES);
    return message.length;
  };
}
