import { Metadata } from '@tus/server';
import type { UploadedPart } from '../../platform/http/uploads/content-sniffer';

/**
 * What Upload-Metadata says about the content: tus clients send the file's type as `filetype`.
 * @param metadata the header as the client sent it
 */
export function declaredPartOf(metadata: string | null): UploadedPart {
  const { filetype } = metadata ? Metadata.parse(metadata) : {};
  return { field: 'file', declared_type: filetype ?? '' };
}
