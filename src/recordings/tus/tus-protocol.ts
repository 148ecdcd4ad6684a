import type { RequestHandler } from 'express';

/** The version of the tus protocol (https://tus.io/protocols/resumable-upload) that the service implements. */
export const TUS_VERSION = '1.0.0';

export const TUS_EXTENSIONS = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'expiration',
  'termination',
] as const;

/** Response headers that CORS must expose to scripts of other origins. */
export const TUS_HEADERS = [
  'Location',
  'Recording-Id',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Defer-Length',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
] as const;

const TUS_PATH = /\/recording\/tus(\/|$)/;

/**
 * Sets the protocol version on every response of a tus path, errors included, and the supported extensions and the
 * size limit on responses to OPTIONS. Install it before CORS, which ends every OPTIONS request.
 * @param maxSize bytes
 */
export function setTusHeaders(maxSize: number): RequestHandler {
  return (request, response, next) => {
    if (TUS_PATH.test(request.path)) {
      response.set('Tus-Resumable', TUS_VERSION);
      if (request.method === 'OPTIONS') {
        response.set({
          'Tus-Version': TUS_VERSION,
          'Tus-Extension': TUS_EXTENSIONS.join(','),
          'Tus-Max-Size': String(maxSize),
        });
      }
    }
    next();
  };
}
