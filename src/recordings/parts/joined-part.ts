import { Metadata } from '@tus/server';
import { invalidField } from '../../platform/http/errors/api-error';

/** A part of a joined recording. */
export interface JoinedPart {
  /** Its place: parts are joined in ascending order. */
  part: number;
  /** Milliseconds. */
  duration: number;
}

/**
 * What Upload-Metadata says about the place of the content in a recording of several parts.
 * @param metadata the header as the client sent it
 * @returns undefined if the content is a recording of its own
 * @throws 422 unless it is a positive integer
 */
export function partNumberOf(metadata: string | null): number | undefined {
  const { part } = metadata ? Metadata.parse(metadata) : {};
  if (part === undefined) return undefined;
  const number = /^\d{1,16}$/.test(part ?? '') ? Number(part) : 0;
  if (number < 1 || !Number.isSafeInteger(number))
    throw invalidField('part', 'must be a whole number of at least 1');
  return number;
}

/** @returns where a new part begins, in milliseconds */
export const startOf = (parts: readonly JoinedPart[], part: number): number =>
  parts.filter((each) => each.part < part).reduce((sum, { duration }) => sum + duration, 0);

/** @returns the parts with a new one, in order */
export const withPart = (parts: readonly JoinedPart[], added: JoinedPart): JoinedPart[] =>
  [...parts, added].sort((a, b) => a.part - b.part);
