import { ApiError } from '../../shared/api/client';
import { SocketError } from '../../shared/socket';
import type { ErrorTexts } from '../texts/errors-en';

/** What its code itself says, in the reader's language. */
export class SaidError extends Error {}

/** @returns a sentence in the reader's language; with the request's id if the code is unknown */
export function explain(error: unknown, sentences: ErrorTexts): string {
  if (error instanceof SaidError) return error.message;
  const code = error instanceof ApiError || error instanceof SocketError ? error.code : '';
  const known = (sentences as unknown as Record<string, unknown>)[code];
  if (typeof known === 'string') return known;
  const id = error instanceof ApiError ? error.request_id : null;
  return id ? `${sentences.other} ${sentences.request(id)}` : sentences.other;
}
