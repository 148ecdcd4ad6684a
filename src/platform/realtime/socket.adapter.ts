import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { createAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import type { Server, ServerOptions } from 'socket.io';
import type { Config } from '../config/config';
import { Lifecycle } from '../health/lifecycle';
import { connectSubscriber } from '../redis/redis.module';

/** A session description of 64 KiB, well above it, is refused with an answer instead of a cut line. */
const LARGEST_MESSAGE = 262_144;

/**
 * Socket.IO under /socket/websocket, in one process or, with Redis, over all instances. A dead peer is
 * noticed after at most pingInterval + pingTimeout = 14 s.
 */
export class SocketAdapter extends IoAdapter {
  private subscriber: Redis | undefined;
  private readonly lifecycle: Lifecycle;

  constructor(
    app: INestApplicationContext,
    private readonly config: Config,
    private readonly redis: Redis | undefined,
  ) {
    super(app);
    this.lifecycle = app.get(Lifecycle, { strict: false });
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const server = super.createIOServer(port, {
      ...options,
      path: '/socket/websocket',
      transports: ['websocket', 'polling'],
      // Compression costs ten times the memory of a connection for messages this small.
      perMessageDeflate: false,
      pingInterval: 8000,
      pingTimeout: 6000,
      maxHttpBufferSize: LARGEST_MESSAGE,
      cors: { origin: this.config.corsOrigins },
      serveClient: false,
      // Refused below the protocol, so that clients sent away by a stop go on trying until there is a next start.
      allowRequest: (_request, decide) => decide(null, !this.lifecycle.isShuttingDown),
    } as ServerOptions);
    if (this.redis && this.config.redisUrl) {
      this.subscriber = connectSubscriber(this.config.redisUrl);
      server.adapter(createAdapter(tolerant(this.redis), tolerant(this.subscriber)));
    }
    return server;
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    this.subscriber?.disconnect();
  }
}

/** What the adapter asks of Redis without looking at what becomes of it. */
const UNATTENDED = new Set(['publish', 'subscribe', 'psubscribe', 'unsubscribe', 'punsubscribe']);

/**
 * While Redis is away, or at a stop, the promises that the adapter leaves unattended are rejected and would
 * end the process. The connection logs the outage; clients catch up from a snapshot.
 */
function tolerant(redis: Redis): Redis {
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      if (!UNATTENDED.has(String(name))) return method;
      return (...args: unknown[]) => Promise.resolve(method(...args)).catch(() => 0);
    },
  });
}
