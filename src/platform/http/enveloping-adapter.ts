import { createServer, type IncomingMessage, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, RequestHandler, Response } from 'express';
import { envelope, isUnwrapped } from './envelope';
import { ROUTE_METHODS, RouteGroups } from './route-groups';

/** The policy of a page would be longer and allow more: nothing of an answer in JSON is to be loaded or framed. */
const POLICY = "default-src 'none'; frame-ancestors 'none'";

type Register = (path: unknown, ...handlers: RequestHandler[]) => unknown;

/**
 * Keeps the routes of the API in groups, and writes the value of every handler in the envelope. A global interceptor could
 * write the envelope as well, but then Nest would run every request and socket message through a chain of observables.
 */
export class EnvelopingAdapter extends ExpressAdapter {
  private readonly routes = new RouteGroups();
  private hasRoutes = false;

  constructor() {
    super();
    const methods = this as unknown as Record<(typeof ROUTE_METHODS)[number], Register>;
    for (const method of ROUTE_METHODS) {
      const registerInExpress = methods[method].bind(this);
      methods[method] = (path, ...handlers) =>
        this.routes.add(method, path, ...handlers)
          ? this.installRoutes()
          : registerInExpress(path, ...handlers);
    }
  }

  /** Offers of other protocols than WebSocket, such as HTTP/2 by clients that try it first, are ignored (RFC 9110, 7.8). */
  override initHttpServer(): void {
    this.httpServer = createServer({ shouldUpgradeCallback: isWebSocket }, this.getInstance());
  }

  /** Requests are drained before: connections that are still open have stalled. */
  override close(): Promise<void> | undefined {
    (this.httpServer as Server | undefined)?.closeAllConnections();
    return super.close() as Promise<void> | undefined;
  }

  /** With the first route of the API, so that it follows the middlewares, which Nest registers before. */
  private installRoutes(): void {
    if (!this.hasRoutes) this.use(this.routes.handler);
    this.hasRoutes = true;
  }

  /** Express's own `json` would look for settings, charsets and validators that these responses do not have. */
  override reply(response: Response, value: unknown, status = response.statusCode): unknown {
    if (value === undefined) return super.reply(response, value, status) as unknown;
    const content = isUnwrapped(response) ? value : envelope(value);
    response.statusCode = status;
    // A text is no JSON; 304 for `If-None-Match: *`
    if (typeof content === 'string' || (isConditional(response.req) && response.req.fresh))
      return super.reply(response, content, status) as unknown;
    const body = JSON.stringify(content);
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return response.end(body);
  }
}

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** Express looks for the validators of every response to a GET, even if the request has none. */
const isConditional = ({ headers }: Request): boolean =>
  headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
