import type { ExecutionContext, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

const reflector = new Reflector();
const known = new WeakMap<Type, WeakMap<object, Map<symbol, unknown>>>();

/**
 * What a decorator says of the route, or else of its controller. Routes do not change while the service
 * runs, and every request asks several times, so each answer is looked up once.
 */
export function routeMetadata<T>(context: ExecutionContext, key: symbol): T | undefined {
  const answers = answersFor(context.getClass(), context.getHandler());
  if (!answers.has(key)) {
    answers.set(key, reflector.getAllAndOverride(key, [context.getHandler(), context.getClass()]));
  }
  return answers.get(key) as T | undefined;
}

function answersFor(controller: Type, handler: object): Map<symbol, unknown> {
  const routes = known.get(controller) ?? new WeakMap<object, Map<symbol, unknown>>();
  known.set(controller, routes);
  const answers = routes.get(handler) ?? new Map<symbol, unknown>();
  routes.set(handler, answers);
  return answers;
}
