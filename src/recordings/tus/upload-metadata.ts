import { Metadata } from '@tus/server';
import { invalidField } from '../../platform/http/errors/api-error';
import type { UploadedPart } from '../../files/uploads/content-sniffer';

/**
 * What Upload-Metadata says about the content: tus clients send the file's type as `filetype`.
 * @param metadata the header as the client sent it
 */
export function declaredPartOf(metadata: string | null): UploadedPart {
  const { filetype } = metadata ? Metadata.parse(metadata) : {};
  return { field: 'file', declared_type: filetype ?? '' };
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
