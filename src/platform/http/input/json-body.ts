import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawBodyRequest } from '@nestjs/common';
import { json, type Request, type RequestHandler, type Response } from 'express';
import { ApiError } from '../errors/api-error';
import { hasMoreSeparators } from './json-separators';
import { MAX_VALUES } from './sanitize-input';

/** 422: the body has too many values to be parsed. */
export class TooManyValuesError extends ApiError {
  constructor() {
    super(422, 'validation_failed', 'Some fields are not valid.', {
      body: [`must not have more than ${MAX_VALUES} values`],
    });
  }
}

/**
 * Parses JSON bodies of at most `maxBytesOf(path)` bytes. A larger body is not kept in memory and answered with 413; one
 * with too many values is answered with 422 and not parsed.
 * @param maxBytesOf 0 leaves the body unread, for a route that calls `readJsonBody`
 */
export function parseJsonBodies(maxBytesOf: (path: string) => number): RequestHandler {
  const parsers = new Map<number, RequestHandler>();
  return (request, response, next) => {
    const limit = maxBytesOf(request.path);
    if (limit === 0) return next();
    const parse = parsers.get(limit) ?? json({ limit, verify: ensureParseable });
    parsers.set(limit, parse);
    parse(request, response, next);
  };
}

/**
 * Reads and parses the JSON body of a request in its handler. `rawBody` is the body as received; both are undefined
 * for a request without a JSON body.
 * @throws 400 for malformed JSON, 413 for more than `limit` bytes, 415; TooManyValuesError after `rawBody` has been set
 */
export function readJsonBody(
  request: RawBodyRequest<Request>,
  response: Response,
  limit: number,
): Promise<void> {
  const parse = json({ limit, verify: keepRawBody });
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}

type Verify = (request: IncomingMessage, response: ServerResponse, body: Buffer, encoding: string) => void;

const ensureParseable: Verify = (_request, _response, body, encoding) => {
  // Every value but the first follows a separator; an empty object or array counts twice.
  if (hasMoreSeparators(body, MAX_VALUES, encoding)) throw new TooManyValuesError();
};

const keepRawBody: Verify = (request: RawBodyRequest<IncomingMessage>, response, body, encoding) => {
  request.rawBody = body;
  ensureParseable(request, response, body, encoding);
};
