import type { Server as HttpServer } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { createAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import type { Server, ServerOptions, Socket } from 'socket.io';
import type { Config } from '../config/config';
import { Lifecycle } from '../health/lifecycle';
import { connectRedisSubscriber } from '../redis/redis.module';
import { bindMessages, bindWithFirstEvent } from './bind-messages';
import { DelayedRefusals } from '../rate-limit/delayed-refusals';
import { ConnectionAttempts } from './connection-attempts';
import { closeLeftConnections } from './close-left-connections';
import { coalesceWrites } from './coalesce-writes';
import { deferMessages } from './defer-messages';
import { frameMessages } from './frame-messages';
import { routeEngineRequests } from './engine-requests';
import { joinHandshake } from './join-handshake';
import { limitOtherPackets } from './limit-other-packets';
import { limitUnreadData } from './limit-unread-data';
import { aliasDefaultNamespace } from './namespace-alias';
import { limitPollingPayloads } from './polling-payloads';

/** The path of websocket_url. */
const PATH = '/socket/websocket';

/** The path that Socket.IO clients use if none is configured. */
const DEFAULT_PATH = '/socket.io';

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

/**
 * Socket.IO at /socket/websocket, across all instances when Redis is configured. A client that is given websocket_url
 * without a path takes its path as the namespace and connects at /socket.io, so both lead to the same server. A dead
 * peer is detected after at most pingInterval + pingTimeout = 14 s.
 */
export class SocketAdapter extends IoAdapter {
  private subscriber: Redis | undefined;
  private readonly lifecycle: Lifecycle;
  private readonly attempts: ConnectionAttempts;
  private readonly refusals = new DelayedRefusals(REFUSAL_DELAY_MS);

  constructor(
    app: INestApplicationContext,
    private readonly config: Config,
    private readonly redis: Redis | undefined,
  ) {
    super(app);
    this.lifecycle = app.get(Lifecycle, { strict: false });
    this.attempts = app.get(ConnectionAttempts, { strict: false });
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const server = super.createIOServer(port, {
      ...options,
      path: PATH,
      transports: ['websocket', 'polling'],
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
        else if (this.attempts.open(request)) decide(null, true);
        else this.refusals.add(() => decide(TOO_MANY_FAILURES, false));
      },
    } as ServerOptions);
    routeEngineRequests(this.httpServer as HttpServer, PATH, [PATH, DEFAULT_PATH]);
    aliasDefaultNamespace(server, PATH);
    frameMessages(server);
    limitOtherPackets(server);
    limitPollingPayloads(server);
    limitUnreadData(server);
    closeLeftConnections(server);
    deferMessages(server);
    joinHandshake(server);
    coalesceWrites(server);
    if (this.redis && this.config.redisUrl) {
      this.subscriber = connectRedisSubscriber(this.config.redisUrl);
      server.adapter(createAdapter(withoutRejections(this.redis), withoutRejections(this.subscriber)));
    }
    return server;
  }

  /** A gateway that has to know of each connection listens to the server itself. */
  override bindClientConnect(server: Server, bind: (socket: Socket) => void): void {
    server.on('connection', (socket) => bindWithFirstEvent(socket, bind));
  }

  override bindMessageHandlers(...binding: Parameters<typeof bindMessages>): void {
    bindMessages(...binding);
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    this.subscriber?.disconnect();
  }
}

/** The commands whose promises the Redis adapter of Socket.IO ignores. */
const UNHANDLED_COMMANDS = new Set(['publish', 'subscribe', 'psubscribe', 'unsubscribe', 'punsubscribe']);

/**
 * Keeps rejections of UNHANDLED_COMMANDS, which occur while Redis is unavailable and during shutdown, from ending
 * the process. The connection logs the outage, and clients resynchronise from a snapshot.
 */
function withoutRejections(redis: Redis): Redis {
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      if (!UNHANDLED_COMMANDS.has(String(name))) return method;
      return (...args: unknown[]) => Promise.resolve(method(...args)).catch(() => 0);
    },
  });
}
