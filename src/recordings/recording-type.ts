import { invalidField } from '../platform/http/errors/api-error';
import { detectContentType } from '../platform/http/input/content-type';

/**
 * What a recording's first bytes say it is.
 * @throws 422 on the field `file` for anything but audio and video
 */
export async function recordingTypeOf(sample: Buffer): Promise<string> {
  // Without its codecs: those are the container's to tell.
  const [type = ''] = (await detectContentType(sample)).split(';', 1);
  if (!/^(audio|video)\//.test(type)) throw invalidField('file', 'must be audio or video');
  return type;
}
