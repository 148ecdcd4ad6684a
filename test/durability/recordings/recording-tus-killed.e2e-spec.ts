import { ensureBuilt } from '../../support/service/built-service';
import { asSuperuser } from '../../support/database/database';
import { DataDir } from '../../support/service/data-dir';
import { ServiceProcess, stopServices } from '../../support/service/service-process';
import { uploadAll, MIB, recordingOf, sha256, TusClient } from '../../support/contexts/tus';
import { until } from '../../support/until';

let dataDir: DataDir;

beforeAll(ensureBuilt, 120_000);

beforeEach(() => {
  dataDir = new DataDir();
});

afterEach(async () => {
  await stopServices();
  dataDir.remove();
});

/** Logs in an attendant of the demo tenant and creates a call. */
async function prepareCall(service: ServiceProcess): Promise<{ token: string; callId: string }> {
  const account = { tenant: 'demo', email: 'attendant@demo.example', password: 'demo-call-queue' };
  const { access_token: token } = (await service.api.post('/api/auth/login', account)).body;
  const link = /\/c\/(\S+)/.exec(service.output)?.[1] ?? '';
  const { body } = await service.api.post(`/api/v1/call/${link}/join`, { name: 'Wanda Waiting' });
  return { token, callId: body.data.call_id };
}

const received = (): Promise<number> =>
  asSuperuser(dataDir.databaseUrl, async (client) => {
    const { rows } = await client.query<{ received: number }>(
      'SELECT received::float8 AS received FROM recording_uploads',
    );
    return rows[0]?.received ?? 0;
  });

it('an upload resumes from the last stored part after the service was killed', async () => {
  const content = recordingOf(30 * MIB);
  const first = await ServiceProcess.start({ DATA_DIR: dataDir.path });
  const { token, callId } = await prepareCall(first);
  const peer = new TusClient(first.url, token);
  const location = await peer.begin(callId, content.length);
  peer.open(location, 0, content.length, content.subarray(0, 29 * MIB));
  await until(async () => (await received()) === 24 * MIB);
  await first.kill();

  const second = await ServiceProcess.start({ DATA_DIR: dataDir.path });
  const again = new TusClient(second.url, token);
  expect(await again.offset(location)).toBe(24 * MIB);
  const { requests, recordingId } = await uploadAll(again, content, { uploadUrl: second.url + location });

  expect(requests).toEqual(['HEAD 200', 'PATCH 204']);
  const { body } = await second.api.get(`/api/v1/calls/${callId}/recordings`, { token });
  expect(body.data).toMatchObject([{ id: recordingId, size: content.length, sha256: sha256(content) }]);
});
