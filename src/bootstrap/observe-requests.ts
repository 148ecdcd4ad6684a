import type { Request, RequestHandler, Response } from 'express';

/** nginx's code for a client that left before it had the whole response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Is called once for each request. @param status of the response; 499 if the client did not wait for all of it */
export type RequestObserver = (request: Request, status: number, durationMs: number) => void;

/**
 * Express middleware that calls the observers when a response has been sent or its client has left. They share a listener
 * and a measurement, which each request pays for.
 */
export function observeRequests(...observers: RequestObserver[]): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const durationMs = performance.now() - startedAt;
      const status = statusOf(response);
      for (const observe of observers) observe(request, status, durationMs);
    });
    next();
  };
}

const statusOf = ({ statusCode, writableFinished }: Response): number =>
  writableFinished ? statusCode : CLIENT_CLOSED_REQUEST;
