import type { Request, RequestHandler, Response } from 'express';
import { inSequence } from './in-sequence';

const request = {} as Request;
const response = {} as Response;

/** Runs the handlers. @returns their names in the order of their calls, and what `next` was called with */
function run(handlers: Record<string, RequestHandler>): { calls: string[]; results: unknown[] } {
  const calls: string[] = [];
  const results: unknown[] = [];
  const named = Object.entries(handlers).map(([name, handler]): RequestHandler => (...args) => {
    calls.push(name);
    return handler(...args);
  });
  void inSequence(...named)(request, response, (error?: unknown) => results.push(error));
  return { calls, results };
}

const passes: RequestHandler = (_request, _response, next) => next();
const failure = new Error('failed');

it('calls the handlers one after another and then the next middleware', () => {
  expect(run({ one: passes, other: passes })).toEqual({ calls: ['one', 'other'], results: [undefined] });
});

it('calls the next middleware without handlers', () => {
  expect(run({})).toEqual({ calls: [], results: [undefined] });
});

it.each<[string, RequestHandler]>([
  ['passes', (_request, _response, next) => next(failure)],
  [
    'throws',
    () => {
      throw failure;
    },
  ],
])('ends with the error that a handler %s', (_, fails) => {
  expect(run({ one: passes, fails, never: passes })).toEqual({ calls: ['one', 'fails'], results: [failure] });
});

it('ends with the rejection of an asynchronous handler', async () => {
  const { calls, results } = run({ rejects: () => Promise.reject(failure), never: passes });
  await Promise.resolve();
  await Promise.resolve();
  expect({ calls, results }).toEqual({ calls: ['rejects'], results: [failure] });
});

it('stops at a handler that answers', () => {
  expect(run({ answers: () => {}, never: passes })).toEqual({ calls: ['answers'], results: [] });
});
