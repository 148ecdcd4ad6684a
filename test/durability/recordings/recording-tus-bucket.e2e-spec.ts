import { StoredObjectsService } from '../../../src/platform/storage/stored-objects.service';
import { TestTenant } from '../../support/builders';
import { S3Peer } from '../../support/peers/s3-peer';
import { startTestApp, type TestApp } from '../../support/test-app';
import { uploadAll, MIB, recordingOf, sha256, TusClient } from '../../support/contexts/tus';
import { until } from '../../support/until';

let test: TestApp;
let bucket: S3Peer;

beforeAll(async () => {
  bucket = await S3Peer.start();
  test = await startTestApp({ env: { STORAGE_URL: bucket.url() } });
});

afterAll(async () => {
  await test.close();
  await bucket.stop();
});

it('an upload to a bucket resumes at its last stored byte and leaves only its recording', async () => {
  const tenant = await TestTenant.register(test);
  const { api, token } = tenant.owner;
  const { call_id } = await tenant.join((await tenant.queue()).link);
  const peer = new TusClient(test.url, token);
  const content = recordingOf(20 * MIB);

  const location = await peer.begin(call_id, content.length);
  const { sent, abort: breakOff } = peer.open(location, 0, content.length, content.subarray(0, 11 * MIB));
  await sent;
  breakOff();
  const offset = await until(async () => {
    const stored = await peer.offset(location);
    return stored > 8 * MIB && stored;
  });
  expect(offset).toBeLessThanOrEqual(11 * MIB);
  const { requests, recordingId } = await uploadAll(peer, content, { uploadUrl: test.url + location });

  expect(requests).toEqual(['HEAD 200', 'PATCH 204']);
  const { body } = await api.get(`/api/v1/calls/${call_id}/recordings`);
  expect(body.data).toMatchObject([{ id: recordingId, size: content.length, sha256: sha256(content) }]);
  await test.get(StoredObjectsService).sweep();
  expect(bucket.keys()).toHaveLength(1);
});
