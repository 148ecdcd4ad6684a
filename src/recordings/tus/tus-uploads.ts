import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { Server } from '@tus/server';
import { TUS_VERSION } from './tus-protocol';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config';
import { ApiError } from '../../platform/http/errors/api-error';
import { StoredObjectsService } from '../../platform/storage/stored-objects.service';
import { FinishUploads } from './finish-uploads';
import { RecordingUploads, type UploadScope } from './recording-uploads';
import { sendWebResponse, toWebRequest } from './tus-exchange';
import { tusFailure } from './tus-failures';
import { UploadLocks } from './upload-locks';
import { UploadStore } from './upload-store';

/** Milliseconds that a request has for ending once the same upload's next one is there. */
const LOCK_DRAIN_MS = 1000;

/** Speaks the tus protocol for one request: @tus/server knows it, the store behind it is ours. */
@Injectable()
export class TusUploads {
  constructor(
    private readonly uploads: RecordingUploads,
    private readonly objects: StoredObjectsService,
    private readonly finishing: FinishUploads,
    private readonly locks: UploadLocks,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws 412 for another version of the protocol, and whatever else goes wrong, before anything is answered */
  async answer(scope: UploadScope, uploadId: string | undefined, request: Request, response: Response) {
    ensureVersion(request, response);
    const store = new UploadStore(this.uploads, this.objects, scope);
    const failures: unknown[] = [];
    const server = this.server(scope, uploadId, store, failures);
    const body = new PassThrough();
    request.pipe(body);
    try {
      const answer = await server.handleWeb(toWebRequest(request, body));
      if (answer.status >= 400) throw await failureOf(answer, failures);
      setExpiry(store, response);
      sendWebResponse(answer, response);
    } finally {
      // What is left of the body has to go somewhere, or the connection hangs.
      request.unpipe(body);
      request.resume();
    }
  }

  private server(scope: UploadScope, uploadId: string | undefined, store: UploadStore, failures: unknown[]) {
    return new Server({
      path: `/api/v1/calls/${scope.call_id}/recording/tus`,
      relativeLocation: true,
      datastore: store,
      // So that nobody else's requests get in the way of this user's.
      locker: { newLock: (id) => this.locks.newLock(`${scope.user_id} ${id}`) },
      lockDrainTimeout: LOCK_DRAIN_MS,
      maxSize: this.config.maxRecordingBytes,
      allowedOrigins: () => false,
      namingFunction: () => randomUUID(),
      getFileIdFromRequest: () => uploadId,
      onUploadFinish: async (_request, { id }) => {
        const recordingId = await this.finishing.finish(scope.tenant_id, id);
        return recordingId ? { headers: { 'Recording-Id': recordingId } } : {};
      },
      onResponseError: (_request, error) => {
        failures.push(error);
        return undefined;
      },
    });
  }
}

function ensureVersion(request: Request, response: Response): void {
  if (request.headers['tus-resumable'] === TUS_VERSION) return;
  response.set('Tus-Version', TUS_VERSION);
  throw new ApiError(
    412,
    'tus_version',
    `Send Tus-Resumable: ${TUS_VERSION}, the version that is spoken here.`,
  );
}

/** What was thrown, if it was ours or the database's; the library's own failures are no errors. */
async function failureOf(answer: globalThis.Response, failures: unknown[]): Promise<unknown> {
  const thrown = failures.find((failure) => failure instanceof Error && !('status_code' in failure));
  return thrown ?? tusFailure(answer.status, await answer.text());
}

/** Said of an upload that is under way (tus, extension expiration). */
function setExpiry({ upload }: UploadStore, response: Response): void {
  if (upload && upload.received !== upload.length) {
    response.set('Upload-Expires', upload.expires_at.toUTCString());
  }
}
