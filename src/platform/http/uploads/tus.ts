import type { RequestHandler } from 'express';

/** The tus protocol (https://tus.io/protocols/resumable-upload), as far as all of HTTP has to know of it. */
export const TUS_VERSION = '1.0.0';

export const TUS_EXTENSIONS = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'expiration',
  'termination',
] as const;

/** What scripts of other origins may read of an answer. */
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
 * Says on every answer of a tus address, whoever gives it, which version is spoken, and to OPTIONS what else
 * clients ask for. Comes before CORS, which ends every OPTIONS.
 * @param maxSize bytes
 */
export function announceTus(maxSize: number): RequestHandler {
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
