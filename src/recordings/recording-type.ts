import { invalidField } from '../platform/http/errors/api-error';
import { detectContentType } from '../platform/http/input/content-type';

/**
 * Detects the content type of a recording from its first bytes.
 * @throws 422 on the field `file` unless it is audio or video
 */
export async function recordingTypeOf(sample: Buffer): Promise<string> {
  // Without the codecs, which are read from the container.
  const [type = ''] = (await detectContentType(sample)).split(';', 1);
  if (!/^(audio|video)\//.test(type)) throw invalidField('file', 'must be audio or video');
  return type;
}
