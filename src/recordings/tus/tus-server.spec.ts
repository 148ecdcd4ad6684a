import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { fake } from '../../../test/support/fake';
import type { Config } from '../../platform/config/config';
import type { StoredObjectsService } from '../../platform/storage/stored-objects.service';
import type { RecordingUploadsService } from './recording-uploads.service';
import { TusServer } from './tus-server';
import type { UploadAssembler } from './upload-assembler';
import { UploadLocker } from './upload-locker';

it('ends the request of a client that has left before, and unlocks its upload', async () => {
  const locker = new UploadLocker();
  const uploads = fake<RecordingUploadsService>({
    get: async (_scope: unknown, id: string) => ({
      id,
      metadata: null,
      length: 10,
      received: 5,
      expires_at: new Date(),
    }),
  });
  const server = new TusServer(
    uploads,
    fake<StoredObjectsService>({}),
    fake<UploadAssembler>({}),
    locker,
    fake<Config>({ maxRecordingBytes: 100 }),
  );
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-offset': '5',
    'content-type': 'application/offset+octet-stream',
  };
  const originalUrl = '/api/v1/calls/call/recording/tus/upload';
  const left = Readable.from([Buffer.alloc(5)]).destroy();
  await once(left, 'close');
  const request = Object.assign(left, fake<Request>({ method: 'PATCH', originalUrl, headers }));
  const end = jest.fn();
  const response = fake<Response>({ set: () => {}, setHeader: () => {}, status: () => ({ end }) });
  const scope = { tenant_id: 'tenant', call_id: 'call', user_id: 'user' };
  await server.handle(scope, 'upload', request, response);
  expect(end).toHaveBeenCalledTimes(1);
  const next = locker.newLock('user upload');
  await next.lock(new AbortController().signal, () => {
    throw new Error('The upload is locked');
  });
});
