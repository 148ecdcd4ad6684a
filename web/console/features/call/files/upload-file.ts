import { ApiError } from '../../../../shared/api/client';
import { readError } from '../../../../shared/api/read-error';
import type { StaffSession } from '../../../state/staff-session';

interface UploadOptions {
  session: StaffSession;
  callId: string;
  file: File;
  /** 0 to 1. */
  onProgress: (share: number) => void;
}

const UNAUTHORIZED = 401;
const CREATED = 201;

/** Uploads a file to a call; once more after the token was renewed. @throws ApiError */
export async function uploadFile(options: UploadOptions): Promise<void> {
  const first = await send(options);
  const last = first.status === UNAUTHORIZED && (await options.session.renew()) ? await send(options) : first;
  if (last.status !== CREATED) throw readError(parse(last.responseText), last.status, new Headers());
}

/** `fetch` does not tell how much of an upload has been sent. */
function send({ session, callId, file, onProgress }: UploadOptions): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1/calls/${callId}/upload`);
    request.setRequestHeader('authorization', `Bearer ${session.accessToken}`);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total ? loaded / total : 0),
    );
    request.addEventListener('load', () => resolve(request));
    request.addEventListener('error', () =>
      reject(new ApiError({ code: 'network', detail: 'The service was not reached.' })),
    );
    const body = new FormData();
    body.append('file', file);
    request.send(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
