import { ApiError } from '../../../shared/api/client';
import { readError } from '../../../shared/api/read-error';
import type { StaffSession } from '../staff-session';

export interface FileToSend {
  callId: string;
  file: File;
  /** The same for each attempt: the service adds the file once, even if its answer was lost. */
  key: string;
  /** Ends the attempt. */
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress: (share: number) => void;
}

export type SendFile = (upload: FileToSend) => Promise<void>;

/** The error code for a file that was changed, moved or deleted after the user had chosen it. */
export const FILE_UNREADABLE = 'file_unreadable';

const UNAUTHORIZED = 401;
const CREATED = 201;
/** So long without progress means that the connection is gone, which browsers notice much later. */
const STALL_MS = 120_000;

/** @returns sends files to calls as this user. It throws ApiError, or the signal's reason */
export function fileSender(session: StaffSession, userId: string): SendFile {
  return async (upload) => {
    try {
      await sendRenewed(session, userId, upload);
    } catch (error) {
      // A browser says only that the request has failed.
      if (!isUnreached(error) || (await isReadable(upload.file))) throw error;
      // A status that is not repeated.
      throw new ApiError({ code: FILE_UNREADABLE, detail: 'The file can no longer be read.', status: 422 });
    }
  };
}

/** Sends it once more if the token had to be renewed. */
async function sendRenewed(session: StaffSession, userId: string, upload: FileToSend): Promise<void> {
  const attempt = () => {
    // Another user has logged in meanwhile.
    if (session.user.value?.id !== userId) throw otherUser();
    return send(session.accessToken, upload);
  };
  const { accessToken } = session;
  let answer = await attempt();
  if (answer.status === UNAUTHORIZED) {
    const isRenewed =
      session.accessToken !== accessToken || (await orAborted(session.renew(), upload.signal));
    if (isRenewed) answer = await attempt();
    // The renewal did not reach the service, either.
    else if (!session.hasExpired.value) throw unreached();
  }
  if (answer.status === CREATED) return;
  const headers = new Headers({ 'retry-after': answer.getResponseHeader('retry-after') ?? '' });
  throw readError(parse(answer.responseText), answer.status, headers);
}

/** `fetch` does not tell how much of an upload has been sent. */
function send(token: string, { callId, file, key, signal, onProgress }: FileToSend): Promise<XMLHttpRequest> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const end = (reason: unknown) => {
      request.abort();
      reject(reason);
    };
    let stall: ReturnType<typeof setTimeout> | undefined;
    const waitForProgress = () => {
      clearTimeout(stall);
      stall = setTimeout(() => end(unreached()), STALL_MS);
    };
    const cancel = () => end(signal.reason);
    request.open('POST', `/api/v1/calls/${callId}/upload`);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('idempotency-key', key);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      waitForProgress();
      onProgress(total ? loaded / total : 0);
    });
    request.addEventListener('load', () => resolve(request));
    request.addEventListener('error', () => reject(unreached()));
    request.addEventListener('loadend', () => {
      clearTimeout(stall);
      signal.removeEventListener('abort', cancel);
    });
    signal.addEventListener('abort', cancel);
    waitForProgress();
    const body = new FormData();
    body.append('file', file);
    request.send(body);
  });
}

/** @throws the signal's reason as soon as it is aborted */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

const otherUser = () => new ApiError({ code: 'unauthenticated', detail: '', status: UNAUTHORIZED });

const unreached = () => new ApiError({ code: 'network', detail: 'The service was not reached.' });

const isUnreached = (error: unknown): boolean => error instanceof ApiError && error.code === 'network';

const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
