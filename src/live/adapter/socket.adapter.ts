import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { createAdapter } from '@socket.io/redis-adapter';
import { attach } from 'engine.io';
import type { Redis } from 'ioredis';
import type { Server, ServerOptions, Socket } from 'socket.io';
import { WebSocketServer, type ServerOptions as WebSocketOptions } from 'ws';
import type { Config } from '../../platform/config/config';
import { Lifecycle } from '../../platform/http/lifecycle';
import { connectRedisSubscriber } from '../../platform/redis/redis.module';
import { DelayedRefusals } from '../../platform/rate-limit/delayed-refusals';
import { FairTurns } from '../../platform/rate-limit/fair-turns';
import { ConnectionAttempts } from './connection-attempts';
import { limitOtherPackets } from './limit-other-packets';
import { limitUnreadData } from './limit-unread-data';

/** The path of websocket_url, which is also the name of a namespace. */
export const WEBSOCKET_PATH = '/socket/websocket';

/** The path that Socket.IO clients use if none is configured. */
const DEFAULT_PATH = '/socket.io';

const NOT_SOCKET_IO =
  'This address speaks Socket.IO 4, not plain WebSocket: connect with a Socket.IO client, as /docs/asyncapi.yaml describes.\n';

/**
 * Above the largest session description that is accepted (64 KiB), so that a somewhat larger one is rejected with an
 * error instead of a closed connection.
 */
const MAX_MESSAGE_BYTES = 98_304;

/** A connection without an accepted token is closed after this time. */
const AUTHENTICATION_TIMEOUT_MS = 5000;

const TOO_MANY_FAILURES =
  'Too many connections without a valid token from this address. Try again in a minute.';
/** How long a refused connection is kept open. */
const REFUSAL_DELAY_MS = 4000;

/** How long a peer may take to confirm that a connection is closed: one without a network would delay a stop. */
const CLOSE_TIMEOUT_MS = 3000;

/**
 * One message of a connection in each turn of the event loop: all that have arrived would otherwise be handled in the same
 * one, so that a burst of large ones blocks it.
 */
class OneMessageAtATime extends WebSocketServer {
  constructor(options: WebSocketOptions) {
    super(limited(options));
  }
}

/** `closeTimeout` is a documented option of ws that its types lack. */
const limited = (options: WebSocketOptions): WebSocketOptions & { closeTimeout: number } => ({
  ...options,
  allowSynchronousEvents: false,
  closeTimeout: CLOSE_TIMEOUT_MS,
});

/**
 * Socket.IO at /socket/websocket, across all instances when Redis is configured. A client that is given websocket_url
 * without a path takes its path as the namespace and connects at /socket.io: both paths lead to the same server. A dead
 * peer is detected after at most pingInterval + pingTimeout = 14 s.
 */
export class SocketAdapter extends IoAdapter {
  private subscriber: Redis | undefined;
  private readonly lifecycle: Lifecycle;
  private readonly attempts: ConnectionAttempts;
  private readonly turns: FairTurns;
  private readonly refusals = new DelayedRefusals(REFUSAL_DELAY_MS);

  constructor(
    app: INestApplicationContext,
    private readonly config: Config,
    private readonly redis: Redis | undefined,
  ) {
    super(app);
    this.lifecycle = app.get(Lifecycle, { strict: false });
    this.attempts = app.get(ConnectionAttempts, { strict: false });
    this.turns = app.get(FairTurns, { strict: false });
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const shared = {
      ...options,
      addTrailingSlash: false,
      destroyUpgrade: false,
      transports: ['websocket', 'polling'],
      wsEngine: OneMessageAtATime,
      // Compression multiplies the memory of a connection by ten and gains little with messages this small.
      perMessageDeflate: false,
      pingInterval: 8000,
      pingTimeout: 6000,
      maxHttpBufferSize: MAX_MESSAGE_BYTES,
      connectTimeout: AUTHENTICATION_TIMEOUT_MS,
      cors: { origin: this.config.corsOrigins },
      serveClient: false,
      // Rejected before the Socket.IO handshake, so that clients keep reconnecting until the service is up again.
      allowRequest: (request, decide) => {
        if (this.lifecycle.isShuttingDown) decide(null, false);
        else if (this.attempts.open(request))
          void this.turns
            .next(this.attempts.networkOf(request))
            .then(() => decide(null, !this.lifecycle.isShuttingDown));
        else this.refusals.add(() => decide(TOO_MANY_FAILURES, false));
      },
    } satisfies Partial<ServerOptions>;
    const server = super.createIOServer(port, { ...shared, path: WEBSOCKET_PATH } as ServerOptions);
    const http = this.httpServer as HttpServer;
    const engines = [server.engine, attach(http, { ...shared, path: DEFAULT_PATH })];
    server.bind(engines[1]);
    // A client may leave while its handshake waits for a turn or its refusal is delayed, when nothing else listens.
    http.on('upgrade', (_request, socket) => socket.on('error', ignore));
    http.on('upgrade', refusePlainWebSocket);
    for (const engine of engines) {
      limitOtherPackets(engine);
      limitUnreadData(engine);
    }
    if (this.redis && this.config.redisUrl) {
      this.subscriber = connectRedisSubscriber(this.config.redisUrl);
      server.adapter(createAdapter(this.redis, this.subscriber));
    }
    return server;
  }

  /**
   * Binds the handlers of a socket with its first event: they take 40 KiB, and most customers in a queue never send one. A
   * gateway that has to know of each connection listens to the server itself.
   */
  override bindClientConnect(server: Server, bind: (socket: Socket) => void): void {
    server.on('connection', (socket) => {
      let isBound = false;
      socket.use((_event, next) => {
        if (!isBound) bind(socket);
        isBound = true;
        next();
      });
    });
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    this.subscriber?.disconnect();
  }
}

/** One function for all sockets. */
const ignore = (): void => {};

/** Clients of other protocols get a sentence. Without an answer their connection would stay open. */
function refusePlainWebSocket({ url = '' }: IncomingMessage, socket: Duplex): void {
  if (url.startsWith(WEBSOCKET_PATH) || url.startsWith(DEFAULT_PATH)) return;
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(NOT_SOCKET_IO)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${NOT_SOCKET_IO}`, () => socket.destroy());
}
