import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { acceptExpectations } from './expectation';
import { busyRetryAfter } from '../platform/http/errors/api-error';

/** A connection on which nothing is sent or received is closed after this time. */
const IDLE_TIMEOUT_MS = 300_000;

/** A client that sends nothing but a part of the head is disconnected. */
const HEADERS_TIMEOUT_MS = 60_000;

/** Longer than the 60 s of most load balancers: a request on a connection that has just been closed would be lost, or answered with 502. */
const KEEP_ALIVE_MS = 75_000;

/** Connections that the operating system keeps until the service accepts them, within its own limit (`net.core.somaxconn`). */
const BACKLOG = 4096;

/**
 * The HTTP server. It listens before the application exists, whose start takes as long as the migrations of its database: until
 * then it answers that the process is alive but not ready, so that an orchestrator neither restarts it nor sends requests to it.
 */
export class ServiceServer {
  private application: RequestListener | undefined;

  readonly http = createServer(
    {
      // Uploading a recording over a slow network takes hours, so requests are limited by idle time, not by duration.
      requestTimeout: 0,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // Offers of other protocols, such as HTTP/2 by clients that try it first, are ignored (RFC 9110, 7.8).
      shouldUpgradeCallback: (request) => this.application !== undefined && isWebSocket(request),
    },
    (request, response) => (this.application ?? answerStarting)(request, response),
  );

  /** @throws Error if the address is in use or not of this machine */
  static async listen({ port, host }: { port: number; host: string }): Promise<ServiceServer> {
    const server = new ServiceServer();
    server.http.timeout = IDLE_TIMEOUT_MS;
    server.http.keepAliveTimeout = KEEP_ALIVE_MS;
    acceptExpectations(server.http);
    server.http.listen({ port, host, backlog: BACKLOG });
    await once(server.http, 'listening');
    return server;
  }

  /** The port that was chosen if any was allowed. */
  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  /** Lets the application answer all further requests. */
  serve(application: RequestListener): void {
    this.application = application;
  }

  /** Accepts no further connections and closes those that are open, except sockets. */
  close(): void {
    this.http.close();
    this.http.closeAllConnections();
  }
}

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

const answerStarting: RequestListener = ({ url = '' }, response) => {
  const path = url.split('?', 1)[0];
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  if (path === '/healthz') {
    response.end(JSON.stringify({ data: { status: 'ok', details: {} } }));
    return;
  }
  const code = path === '/readyz' ? 'not_ready' : 'unavailable';
  response.writeHead(503, { 'Retry-After': busyRetryAfter() });
  response.end(JSON.stringify({ errors: { detail: 'The service is starting.', code } }));
};
