import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const NOT_ENGINE_IO =
  'This address speaks Socket.IO 4, not plain WebSocket: connect with a Socket.IO client, as /docs/asyncapi.yaml describes.\n';

/**
 * Lets clients reach the engine, which listens at `path`, at all `paths`, with or without a slash at the end. Other
 * WebSockets are answered with 400. Offers of other protocols, such as HTTP/2 by clients that try it first, are ignored
 * (RFC 9110, 7.8). Call it after the engine was attached to the server.
 */
export function routeEngineRequests(server: HttpServer, path: string, paths: string[]): void {
  const served = new RegExp(`^(?:${paths.join('|')})/?(?=\\?)`);
  const route = (request: IncomingMessage): boolean => {
    const url = request.url ?? '';
    if (!served.test(url) || !new URLSearchParams(url.slice(url.indexOf('?'))).has('EIO')) return false;
    request.url = url.replace(served, `${path}/`);
    return true;
  };
  server.prependListener('request', route);
  const engine = server.listeners('upgrade') as UpgradeListener[];
  server.removeAllListeners('upgrade');
  Object.assign(server, { shouldUpgradeCallback: isWebSocket });
  server.on('upgrade', (request, socket, head) => {
    if (!route(request)) return refuse(socket);
    for (const listener of engine) listener.call(server, request, socket, head);
  });
}

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

function refuse(socket: Duplex): void {
  // The client may have closed the connection.
  socket.on('error', () => {});
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(NOT_ENGINE_IO)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${NOT_ENGINE_IO}`, () => socket.destroy());
}
