import { type RequestHandler, Router } from 'express';

/** The methods that the service's routes have; others are left to Express. */
export const ROUTE_METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
type RouteMethod = (typeof ROUTE_METHODS)[number];

/**
 * `/api` and two segments without parameters: /api/v1/calls. Swagger registers /docs before Nest registers the middlewares
 * of modules, so other routes are left to Express.
 */
const STATIC_PREFIX = /^\/api(?:\/[^/:*{}()]+){2}(?=\/|$)/;
const PREFIX = /^(?:\/[^/]+){3}/;

/** A handler of Express with the routes that it leads to. */
export interface RoutingHandler extends RequestHandler {
  readonly stack: Router['stack'];
}

/**
 * Routes in groups by the first three segments of their paths, of which a request finds its own by one lookup. Express
 * compares a request with the patterns of all routes before its own, one after another.
 */
export class RouteGroups {
  private readonly groups = new Map<string, Router>();

  /** Install it as middleware. Requests without a route continue with the next one. */
  readonly handler: RoutingHandler = this.createHandler();

  /** @returns false for a path that does not begin with `/api` and two segments without parameters; it is not added then */
  add(method: RouteMethod, path: unknown, ...handlers: RequestHandler[]): boolean {
    const prefix = typeof path === 'string' && STATIC_PREFIX.exec(path)?.[0];
    if (typeof path !== 'string' || !prefix) return false;
    const key = prefix.toLowerCase();
    const group = this.groups.get(key) ?? Router();
    this.groups.set(key, group);
    group[method](path, ...handlers);
    return true;
  }

  private createHandler(): RoutingHandler {
    const { groups } = this;
    const handle: RequestHandler = (request, response, next) => {
      const prefix = PREFIX.exec(request.path)?.[0] ?? '';
      const group = groups.get(prefix.toLowerCase());
      if (group) group(request, response, next);
      else next();
    };
    return Object.defineProperty(handle, 'stack', {
      get: () => [...groups.values()].flatMap(({ stack }) => stack),
    }) as RoutingHandler;
  }
}
