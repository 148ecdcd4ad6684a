import { invalidField } from '../platform/http/errors/api-error';
import { type ContentType, contentTypeOf } from '../files/uploads/content-type';
import type { UploadedPart } from '../files/uploads/content-sniffer';

/**
 * The content type of a recording: that of the signature in its first bytes, otherwise the declared one.
 * @throws 422 on the field unless it is audio or video
 */
export async function recordingTypeOf(
  sample: Buffer,
  { field, declared_type }: UploadedPart,
): Promise<ContentType> {
  const type = await contentTypeOf(sample, declared_type);
  // Without the codecs, which are read from the container.
  const [content_type = ''] = type.content_type.split(';', 1);
  if (!/^(audio|video)\//.test(content_type)) throw invalidField(field, 'must be audio or video');
  return { ...type, content_type };
}
