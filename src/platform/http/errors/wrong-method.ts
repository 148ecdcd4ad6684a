import { NotFoundException } from '@nestjs/common';
import type { Application, Request } from 'express';
import { match } from 'path-to-regexp';
import { ApiError } from './api-error';

/** 405: the address exists, but not with this method. */
export class WrongMethodError extends ApiError {
  /** @param allow the methods of the address, sent as Allow (RFC 9110, 10.2.1) */
  constructor(readonly allow: string[]) {
    super(405, 'method_not_allowed', `This address accepts ${allow.join(', ')}.`);
  }
}

interface Route {
  matches: ReturnType<typeof match>;
  methods: string[];
}

/** The routes of each application, read at the first request without one. */
const routes = new WeakMap<Application, Route[]>();

/** The 405 for a request that Nest found no route for although its path has routes with other methods. */
export function wrongMethodError(
  error: unknown,
  { app, method, path }: Request,
): WrongMethodError | undefined {
  if (!(error instanceof NotFoundException)) return undefined;
  const known = routes.get(app) ?? routesOf(app);
  routes.set(app, known);
  const methods = new Set(known.flatMap((route) => (route.matches(path) ? route.methods : [])));
  // Express answers HEAD with the route of GET.
  if (methods.has('GET')) methods.add('HEAD');
  return methods.size === 0 || methods.has(method) ? undefined : new WrongMethodError([...methods].sort());
}

const routesOf = (app: Application): Route[] =>
  app.router.stack.flatMap(({ route }) =>
    route
      ? [
          {
            matches: match(route.path, { decode: false }),
            methods: route.stack.map((layer) => layer.method.toUpperCase()),
          },
        ]
      : [],
  );
