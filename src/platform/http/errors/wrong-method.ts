import { NotFoundException } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from './api-error';

/** A route or middleware of Express's router; its types leave out `match`. */
interface RouteLayer {
  route?: { methods: Record<string, boolean> };
  /** A middleware that leads to routes has them as `stack` (RouteGroups). */
  handle: { stack?: RouteLayer[] };
  match(path: string): unknown;
}

/** 405: the address exists, but not with this method. */
export class WrongMethodError extends ApiError {
  /** @param allow the methods of the address, sent as Allow (RFC 9110, 10.2.1) */
  constructor(readonly allow: string[]) {
    super(405, 'method_not_allowed', `This address accepts ${allow.join(', ')}.`);
  }
}

/** The 405 for a request that Nest found no route for although its path has routes with other methods. */
export function wrongMethodError(
  error: unknown,
  { app, method, path }: Request,
): WrongMethodError | undefined {
  if (!(error instanceof NotFoundException)) return undefined;
  const stack = app.router.stack as unknown as RouteLayer[];
  const layers = stack.flatMap((layer) => layer.handle.stack ?? [layer]);
  const routes = layers.flatMap((layer) => (layer.route && layer.match(path) ? [layer.route] : []));
  const methods = new Set(
    routes.flatMap((route) => Object.keys(route.methods).map((name) => name.toUpperCase())),
  );
  // Express answers HEAD with the route of GET.
  if (methods.has('GET')) methods.add('HEAD');
  return methods.size === 0 || methods.has(method) ? undefined : new WrongMethodError([...methods].sort());
}
