import { Logger } from '@nestjs/common';
import type { MessageMappingProperties } from '@nestjs/websockets';
import { lastValueFrom, type Observable } from 'rxjs';
import type { Socket } from 'socket.io';

type Transform = (result: unknown) => Observable<unknown>;
type Acknowledge = (answer: unknown) => void;

const logger = new Logger('Socket');

/**
 * Calls the handlers of a socket's messages and acknowledges the messages with their results. Nest's adapter builds a
 * chain of RxJS operators for each event of each socket instead, which takes 40 KiB for a socket with nine events.
 */
export function bindMessages(
  socket: Socket,
  handlers: MessageMappingProperties[],
  transform: Transform,
): void {
  for (const handler of handlers) {
    socket.on(handler.message as string, (...payload: unknown[]) => {
      handle(handler, payload, transform).catch((error: unknown) => logger.error(error));
    });
  }
}

/**
 * Calls `bind` before the first event of a socket passes its middleware. The handlers that Nest binds to one socket take
 * 2 KiB, and most customers in a queue never send an event.
 */
export function bindWithFirstEvent(socket: Socket, bind: (socket: Socket) => void): void {
  let isBound = false;
  socket.use((_event, next) => {
    if (!isBound) bind(socket);
    isBound = true;
    next();
  });
}

/** @param payload the data of the message, followed by the acknowledgement if the client wants one */
async function handle(
  { callback }: MessageMappingProperties,
  payload: unknown[],
  transform: Transform,
): Promise<void> {
  const last = payload.at(-1);
  const acknowledge = typeof last === 'function' ? (last as Acknowledge) : undefined;
  const data = acknowledge ? payload.slice(0, -1) : payload;
  const result = transform(callback(data.length > 1 ? data : data[0], acknowledge));
  const answer = await lastValueFrom(result, { defaultValue: undefined });
  if (answer !== undefined && answer !== null) acknowledge?.(answer);
}
