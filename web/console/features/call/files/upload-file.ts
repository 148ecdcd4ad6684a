import { ApiError } from '../../../../shared/api/client';
import { readError } from '../../../../shared/api/read-error';
import { asApiError, retry } from '../../../../shared/api/retry';
import { pause } from '../../../../shared/pause';
import type { StaffSession } from '../../../state/staff-session';

interface UploadOptions {
  session: StaffSession;
  callId: string;
  file: File;
  /** The same for each attempt: the service adds the file once, also if its answer was lost. */
  key: string;
  /** Cancels the upload. */
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress: (share: number) => void;
  /** Called before a pause, after which the file is sent again. What it throws ends the upload. */
  onRetry: (problem: ApiError) => void;
}

const UNAUTHORIZED = 401;
const CREATED = 201;

/** The code of a file that was changed, moved or deleted after the user had chosen it. */
export const FILE_UNREADABLE = 'file_unreadable';

/**
 * Uploads a file to a call, again and again while the network or the service is away.
 * @throws ApiError when repeating does not help; the signal's reason if it was cancelled
 */
export async function uploadFile({ onRetry, ...upload }: UploadOptions): Promise<void> {
  const { signal } = upload;
  signal.throwIfAborted();
  await retry(() => sendReadable(upload), {
    pause,
    signal,
    onRetry: ({ problem }) => {
      signal.throwIfAborted();
      onRetry(problem);
    },
  });
}

type Sending = Omit<UploadOptions, 'onRetry'>;

async function sendReadable(upload: Sending): Promise<void> {
  try {
    await sendRenewed(upload);
  } catch (error) {
    if (asApiError(error).code !== 'network' || (await isReadable(upload.file))) throw error;
    // A browser says only that the request has failed. The status is that of a file that would be refused: repeating is no help.
    throw new ApiError({ code: FILE_UNREADABLE, detail: 'The file can no longer be read.', status: 422 });
  }
}

const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** Sends it once more if the token had to be renewed. */
async function sendRenewed(upload: Sending): Promise<void> {
  const first = await send(upload);
  const last = first.status === UNAUTHORIZED && (await upload.session.renew()) ? await send(upload) : first;
  if (last.status === CREATED) return;
  const headers = new Headers({ 'retry-after': last.getResponseHeader('retry-after') ?? '' });
  throw readError(parse(last.responseText), last.status, headers);
}

/** `fetch` does not tell how much of an upload has been sent. */
function send({ session, callId, file, key, signal, onProgress }: Sending): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1/calls/${callId}/upload`);
    request.setRequestHeader('authorization', `Bearer ${session.accessToken}`);
    request.setRequestHeader('idempotency-key', key);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total ? loaded / total : 0),
    );
    request.addEventListener('load', () => resolve(request));
    request.addEventListener('error', () =>
      reject(new ApiError({ code: 'network', detail: 'The service was not reached.' })),
    );
    const cancel = () => {
      request.abort();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', cancel);
    request.addEventListener('loadend', () => signal.removeEventListener('abort', cancel));
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
