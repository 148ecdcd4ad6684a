import { signal } from '@preact/signals';
import { ApiError } from '../../shared/api/client';
import { SocketError } from '../../shared/socket';
import { texts } from '../texts/language';

/** The problem that is shown; null without one. */
export const problem = signal<string | null>(null);

/** @returns a sentence in the reader's language; with the request's id if the code is unknown */
export function explain(error: unknown): string {
  const { error: sentences } = texts.value;
  const code = error instanceof ApiError || error instanceof SocketError ? error.code : '';
  const known = (sentences as unknown as Record<string, unknown>)[code];
  if (typeof known === 'string') return known;
  const id = error instanceof ApiError ? error.request_id : null;
  return id ? `${sentences.other} ${sentences.request(id)}` : sentences.other;
}

/** Runs what a button does, and shows what went wrong. */
export function attempt(action: () => Promise<unknown>): void {
  problem.value = null;
  action().catch((error: unknown) => {
    problem.value = explain(error);
  });
}
