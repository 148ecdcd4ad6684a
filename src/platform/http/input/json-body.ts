import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawBodyRequest } from '@nestjs/common';
import { json, type Request, type RequestHandler, type Response } from 'express';
import { ApiError, badRequest } from '../errors/api-error';
import { limitBodySize } from './body-size';
import { UnreadBody } from './unread-body';

/** The largest body of a route. */
export interface JsonBodyLimit {
  /** 0 leaves the body unread, for a route that calls `readJsonBody`. */
  bytes: number;
  values: number;
}

const JSON_TYPE = 'application/json';

const BYTES_PER_VALUE = 64;
const MAX_VALUES = 10_000;

/**
 * The limit of a route whose bodies have no lists of many small values: one value for each 64 bytes, 256 for the 16 KiB of
 * public routes. Without it, 16 KiB could hold an object with 1,600 different keys, which takes 5 ms to parse.
 */
export const jsonBodyLimit = (bytes: number): JsonBodyLimit => ({
  bytes,
  values: Math.min(MAX_VALUES, Math.floor(bytes / BYTES_PER_VALUE)),
});

/** 422: the body has too many values to be parsed. */
export class TooManyValuesError extends ApiError {
  constructor(maxValues: number) {
    super(422, 'validation_failed', 'Some fields are not valid.', {
      body: [`must not have more than ${maxValues} values`],
    });
  }
}

/** Refuses a body that was read, before it is parsed. @throws ApiError */
export type BodyCheck = (request: Request, response: Response, bytes: number) => void;

/**
 * Parses JSON bodies within `limitOf(path, headers)`. A larger body is answered with 413 before it has arrived; one
 * with too many values is answered with 422 and not parsed. The encoding must be UTF-8 (RFC 8259, 8.1), otherwise 400.
 * A body of another type is left as an UnreadBody.
 * @param limitOf returns the same object for the same limit
 */
export function parseJsonBodies(
  limitOf: (path: string, headers: IncomingMessage['headers']) => JsonBodyLimit,
  check: BodyCheck = () => {},
): RequestHandler {
  const parsers = new Map<JsonBodyLimit, RequestHandler>();
  return (request, response, next) => {
    if (!hasBody(request)) return next();
    const limit = limitOf(request.path, request.headers);
    if (limit.bytes === 0) return next();
    if (!request.is(JSON_TYPE)) {
      request.body = new UnreadBody(request);
      return next();
    }
    const parse = parsers.get(limit) ?? parserOf(limit.bytes, checked(check, ensureParseable(limit.values)));
    parsers.set(limit, parse);
    parse(request, response, next);
  };
}

/** Whether the headers announce a body (RFC 9112, 6.3). One without a Content-Length may be empty nevertheless. */
const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Reads and parses the JSON body of a request in its handler. `rawBody` is the body as received; both are undefined
 * for a request without a JSON body. Bytes that are not UTF-8 are replaced instead of refused: a peer would only repeat
 * them.
 * @throws 400 for malformed JSON or another charset, 413 for more than `limit` bytes, 415 for an unknown compression;
 *   TooManyValuesError after `rawBody` has been set
 */
export function readJsonBody(
  request: RawBodyRequest<Request>,
  response: Response,
  limit: number,
): Promise<void> {
  const { bytes, values } = jsonBodyLimit(limit);
  const parse = parserOf(bytes, keepRawBody(values));
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}

type Verify = (request: IncomingMessage, response: ServerResponse, body: Buffer, encoding: string) => void;

function parserOf(limit: number, verify: Verify): RequestHandler {
  const parse = limitBodySize(json({ limit, verify }), JSON_TYPE, limit);
  return (request, response, next) => {
    // Many clients write utf8, which body-parser does not know.
    request.headers['content-type'] = request.headers['content-type']?.replace(UTF8_ALIAS, '$1utf-8');
    parse(request, response, (error?: unknown) => next(isUnknownCharset(error) ? notUtf8() : error));
  };
}

const UTF8_ALIAS = /(;\s*charset=)"?utf8"?(?=\s*(;|$))/i;

const notUtf8 = () => badRequest('JSON must be encoded in UTF-8.');

const isUnknownCharset = (error: unknown): boolean =>
  (error as { type?: unknown } | undefined)?.type === 'charset.unsupported';

function checked(check: BodyCheck, verify: Verify): Verify {
  return (request, response, body, encoding) => {
    check(request as Request, response as Response, body.length);
    // The parser replaces other bytes.
    if (!isUtf8(body)) throw notUtf8();
    verify(request, response, body, encoding);
  };
}

function ensureParseable(maxValues: number): Verify {
  return (_request, _response, body, encoding) => {
    // The parser accepts every encoding named utf-….
    if (encoding !== 'utf-8') throw notUtf8();
    // Every value but the first follows a separator; an empty object or array counts twice.
    if (hasMoreSeparators(body, maxValues)) throw new TooManyValuesError(maxValues);
  };
}

function keepRawBody(maxValues: number): Verify {
  const ensure = ensureParseable(maxValues);
  return (request: RawBodyRequest<IncomingMessage>, response, body, encoding) => {
    request.rawBody = body;
    ensure(request, response, body, encoding);
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SEPARATORS = new Set([',', '[', '{'].map((character) => character.charCodeAt(0)));

/**
 * Whether a JSON text in UTF-8 has more than `max` commas and opening brackets outside of its strings. Their number limits
 * that of its values, which determines how long parsing and everything after it takes.
 */
export function hasMoreSeparators(json: Buffer, max: number): boolean {
  let count = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index] ?? 0;
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString && byte === BACKSLASH) index++;
    else if (!isInString && SEPARATORS.has(byte) && ++count > max) return true;
  }
  return false;
}
