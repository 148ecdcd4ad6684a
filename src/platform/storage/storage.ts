import type { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { ApiError } from '../http/errors/api-error';

/** Injection token of the Storage that STORAGE_URL names. */
export const STORAGE = Symbol('STORAGE');

/** Which bytes of an object: from `start` to `end`, both included, as HTTP counts them (RFC 9110, 14.1.2). */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Where contents lie that are too large for the database. Keys are made by us and look like a path; what lies
 * under a key never changes. Contents pass through as streams: none is ever in memory as a whole.
 */
export interface Storage {
  /**
   * Writes all of `content` under a new key. When it fails nothing can be read there, but delete is still due.
   * @throws StorageUnavailable, also when it was the content that failed
   */
  write(key: string, content: Readable): Promise<void>;

  /**
   * Whoever does not read the stream to its end destroys it: it holds a file or a connection open.
   * @throws StorageMissing when there is nothing under the key, StorageUnavailable
   */
  read(key: string, range?: ByteRange): Promise<Readable>;

  /**
   * Removes what lies under the key, also what a write left that broke off; nothing where nothing is.
   * @throws StorageUnavailable, and then some of it may be gone
   */
  delete(key: string): Promise<void>;
}

/** 404: a record says that there is an object, the storage says that there is none (any more). */
export class ObjectNotFoundError extends ApiError {
  constructor(key: string) {
    super(404, 'not_found', 'The content is not stored any more.');
    // For the log.
    this.message = `Nothing is stored under ${key}.`;
  }
}

/** 503: the storage is full, refuses, or is out of reach: the operator's matter, and worth another try. */
export class StorageUnavailableError extends ApiError {
  constructor(cause: unknown) {
    super(503, 'storage_unavailable', 'Files cannot be stored or read at the moment. Try again in a moment.');
    this.cause = cause;
  }
}

/** Tells the operator why the storage failed; whoever asked is told only that it did. */
export function logStorageFailure(failure: unknown, what: string): void {
  const cause = failure instanceof StorageUnavailableError ? failure.cause : failure;
  new Logger('Storage').error(cause, what);
}
