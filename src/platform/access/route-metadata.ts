import type { ExecutionContext, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

const reflector = new Reflector();
const cache = new WeakMap<Type, WeakMap<object, Map<symbol, unknown>>>();

/**
 * The metadata that a decorator set on the route, or else on its controller. It is cached, because several guards
 * read it for every request and it never changes.
 */
export function routeMetadata<T>(context: ExecutionContext, key: symbol): T | undefined {
  const metadata = cachedMetadata(context.getClass(), context.getHandler());
  if (!metadata.has(key)) {
    metadata.set(key, reflector.getAllAndOverride(key, [context.getHandler(), context.getClass()]));
  }
  return metadata.get(key) as T | undefined;
}

function cachedMetadata(controller: Type, handler: object): Map<symbol, unknown> {
  const routes = cache.get(controller) ?? new WeakMap<object, Map<symbol, unknown>>();
  cache.set(controller, routes);
  const metadata = routes.get(handler) ?? new Map<symbol, unknown>();
  routes.set(handler, metadata);
  return metadata;
}
