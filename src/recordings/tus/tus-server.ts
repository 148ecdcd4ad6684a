import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { Server } from '@tus/server';
import { TUS_VERSION } from './tus-protocol';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config';
import { ApiError } from '../../platform/http/errors/api-error';
import { StoredObjectsService } from '../../platform/storage/stored-objects.service';
import type { UploadScope } from './recording-upload.rules';
import { RecordingUploadsService } from './recording-uploads.service';
import { UploadAssembler } from './upload-assembler';
import { toTusApiError } from './upload-errors';
import { UploadLocker } from './upload-locker';
import { UploadStore } from './upload-store';

/** Not copied: CORS headers are set in one place for all routes. */
const CORS_HEADERS = /^access-control-/;

/** How long a request may take to end once another request for the same upload waits. */
const LOCK_DRAIN_TIMEOUT_MS = 1000;

/** Handles requests of the tus protocol: @tus/server implements the protocol, UploadStore the storage. */
@Injectable()
export class TusServer {
  constructor(
    private readonly uploads: RecordingUploadsService,
    private readonly objects: StoredObjectsService,
    private readonly assembler: UploadAssembler,
    private readonly locker: UploadLocker,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Handles a request and sends the response, unless it throws.
   * @param uploadId undefined to create an upload
   * @param method what the request stands for
   * @throws 412 for another version of the protocol, and errors of the protocol, the store and the assembler
   */
  async handle(
    scope: UploadScope,
    uploadId: string | undefined,
    request: Request,
    response: Response,
    method = request.method,
  ): Promise<void> {
    ensureVersion(request, response);
    const store = new UploadStore(this.uploads, this.objects, scope);
    const errors: unknown[] = [];
    const server = this.createServer(scope, uploadId, store, errors);
    const body = new PassThrough();
    request.pipe(body);
    // A client that disconnects ends the content: what was received is stored. It may have left during the authentication.
    if (request.destroyed) body.end();
    else request.once('close', () => body.end());
    try {
      const result = await server.handleWeb(toWebRequest(request, body, method));
      if (result.status >= 400) throw await errorOf(result, errors);
      setExpiry(store, response);
      // Instead of HEAD: a POST without content is answered as PATCH and DELETE are.
      sendWebResponse(result, response, method === request.method ? result.status : 204);
    } finally {
      // The rest of the body must be read, or the connection hangs.
      request.unpipe(body);
      request.resume();
    }
  }

  private createServer(
    scope: UploadScope,
    uploadId: string | undefined,
    store: UploadStore,
    errors: unknown[],
  ) {
    return new Server({
      path: `/api/v1/calls/${scope.call_id}/recording/tus`,
      relativeLocation: true,
      datastore: store,
      // Locked per user, so that requests of other users cannot block the upload.
      locker: { newLock: (id) => this.locker.newLock(`${scope.user_id} ${id}`) },
      lockDrainTimeout: LOCK_DRAIN_TIMEOUT_MS,
      maxSize: this.config.maxRecordingBytes,
      allowedOrigins: () => false,
      namingFunction: () => randomUUID(),
      getFileIdFromRequest: () => uploadId,
      onUploadFinish: async (_request, { id }) => {
        const recordingId = await this.assembler.assemble(scope.tenant_id, id);
        return recordingId ? { headers: { 'Recording-Id': recordingId } } : {};
      },
      onResponseError: (_request, error) => {
        errors.push(error);
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
    `Send Tus-Resumable: ${TUS_VERSION}, the only supported version of the protocol.`,
  );
}

/** The thrown error, else the converted response: @tus/server throws plain objects for protocol errors. */
async function errorOf(result: globalThis.Response, errors: unknown[]): Promise<unknown> {
  const thrown = errors.find((error) => error instanceof Error && !('status_code' in error));
  return thrown ?? toTusApiError(result.status, await result.text());
}

/** Sets Upload-Expires unless the upload is complete (tus 1.0.0, extension expiration). */
function setExpiry({ upload }: UploadStore, response: Response): void {
  if (upload && upload.received !== upload.length) {
    response.set('Upload-Expires', upload.expires_at.toUTCString());
  }
}

/** Converts an Express request to the Fetch request that @tus/server takes. @param body the request's content */
function toWebRequest(
  { headers, originalUrl }: Request,
  body: PassThrough,
  method: string,
): globalThis.Request {
  const content = { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' as const };
  return new globalThis.Request(new URL(originalUrl, 'http://localhost'), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
    ...(method === 'POST' || method === 'PATCH' ? content : {}),
  });
}

/** Sends the headers of a Fetch response with a status; those of @tus/server have no body to keep. */
function sendWebResponse(source: globalThis.Response, response: Response, status: number): void {
  for (const [name, value] of source.headers) if (!CORS_HEADERS.test(name)) response.setHeader(name, value);
  response.status(status).end();
}
