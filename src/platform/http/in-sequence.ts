import type { RequestHandler } from 'express';

/**
 * One Express middleware that calls others one after another. Express matches, wraps and restores the request for each
 * middleware that it is given, which takes longer than most of them do.
 * @returns a middleware that ends with the first error of the others, thrown, rejected or passed on
 */
export function inSequence(...handlers: RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    let called = 0;
    const callNext = (error?: unknown): void => {
      const handler = handlers[called++];
      if (error || handler === undefined) {
        next(error);
        return;
      }
      try {
        const result = handler(request, response, callNext);
        if (result instanceof Promise) result.catch(next);
      } catch (thrown) {
        next(thrown);
      }
    };
    callNext();
  };
}
