import { Readable } from 'node:stream';
import { StoredObjectsService } from '../../../src/platform/storage/stored-objects.service';
import { RecordingsService } from '../../../src/recordings/recordings.service';
import { readFixture } from './recordings';
import type { TestApp } from '../test-app';

/** A few seconds of audio and video. */
export const WEBM = readFixture('call.webm');

/** Adds a recording to a call as an upload does, without the check of the plan. @returns its id */
export async function addRecording(
  test: TestApp,
  tenant: { id: string },
  call_id: string,
  content: Buffer = WEBM,
): Promise<string> {
  const object = await test
    .get(StoredObjectsService)
    .write(tenant.id, 'recordings', Readable.from([content]));
  const recording = await test.get(RecordingsService).add({
    tenant_id: tenant.id,
    call_id,
    uploaded_by: null,
    object,
    content_type: 'video/webm',
  });
  return recording.id;
}
