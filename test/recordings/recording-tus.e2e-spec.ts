import { documentedFetch } from '../support/http/documented-fetch';
import { type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { uploadAll, CONTENT_HEADERS, MIB, recordingOf, sha256, TusClient } from '../support/contexts/tus';
import { until } from '../support/until';

const MAX_RECORDING_BYTES = 20 * MIB;
const DAY = 24 * 60 * 60;

let test: TestApp;
let storage: StorageFolder;
let tenant: TestTenant;
let agent: Member;
let peer: TusClient;
let callId: string;
let link: { token: string };

beforeAll(async () => {
  storage = new StorageFolder();
  test = await startTestApp({
    env: { ...storage.env, MAX_RECORDING_MB: '20', CORS_ORIGINS: 'https://app.example.com' },
  });
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  peer = new TusClient(test.url, agent.token);
  ({ link } = await tenant.queue({ max_queue_size: 1000 }));
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

beforeEach(async () => {
  // The number of open uploads per user is limited, and most of these tests leave one open.
  await test.db.query('DELETE FROM recording_uploads');
  callId = (await tenant.join(link)).call_id;
});

/** No event announces this change, so it takes effect after 5 s. */
async function setSubscriptionStatus(status: string): Promise<void> {
  await test.db.query('UPDATE subscriptions SET status = $1 WHERE tenant_id = $2', [status, tenant.id]);
  test.clock.advance(5);
}

const tusPath = (id: string) => `/api/v1/calls/${id}/recording/tus`;

/** Lists the recordings of the call. */
const recordings = async () => (await agent.api.get(`/api/v1/calls/${callId}/recordings`)).body.data;

async function contentOf(id: string): Promise<Buffer> {
  const response = await documentedFetch(`${test.url}/api/v1/calls/${callId}/recording?recording_id=${id}`, {
    headers: { authorization: `Bearer ${agent.token}` },
  });
  return Buffer.from(await response.arrayBuffer());
}

async function expectRecorded(content: Buffer): Promise<void> {
  const [recording, ...others] = await recordings();
  expect(others).toEqual([]);
  expect(recording).toMatchObject({
    size: content.length,
    sha256: sha256(content),
    content_type: 'video/webm',
  });
  expect(sha256(await contentOf(recording.id))).toBe(sha256(content));
}

const uploads = async () =>
  (await test.db.query('SELECT * FROM recording_uploads WHERE call_id = $1', [callId])).rows;

const parts = async (): Promise<number[]> =>
  (
    await test.db.query(
      `SELECT p.size::int FROM recording_upload_parts p JOIN recording_uploads u ON u.id = p.upload_id
       WHERE u.call_id = $1 ORDER BY start_byte`,
      [callId],
    )
  ).rows.map(({ size }) => size);

describe('a complete upload', () => {
  it('becomes the recording of the call when it is sent in chunks', async () => {
    const content = recordingOf(3 * MIB + 12_345);
    const { url, requests, recordingId } = await uploadAll(peer, content, {
      endpoint: test.url + tusPath(callId),
      chunkSize: MIB,
      metadata: { filename: 'chamada número 1.webm' },
    });
    expect(requests).toEqual(['POST 201', 'PATCH 204', 'PATCH 204', 'PATCH 204', 'PATCH 204']);
    expect(recordingId).toBe((await recordings())[0].id);
    await expectRecorded(content);
    const { body } = await agent.api.get(`/api/v1/calls/${callId}`);
    expect(body.data.has_recording).toBe(true);
    // A client that missed the last response can ask, and learns that nothing is missing.
    const { headers } = await peer.head(new URL(url).pathname);
    expect([headers.get('upload-offset'), headers.get('upload-length')]).toEqual(
      Array(2).fill(String(content.length)),
    );
    expect(headers.get('upload-metadata')).toContain('filename ');
    expect(await parts()).toEqual([]);
  });

  it.each([
    ['in one piece', 1000],
    ['in small pieces', 300],
  ])(
    '%s becomes a recording of the declared type if its content has no signature',
    async (_how, chunkSize) => {
      const content = Buffer.alloc(1000, 'no signature');
      await uploadAll(peer, content, {
        endpoint: test.url + tusPath(callId),
        chunkSize,
        metadata: { filename: 'call.webm', filetype: 'audio/webm;codecs=opus' },
      });
      const [recording] = await recordings();
      expect(recording).toMatchObject({
        content_type: 'audio/webm',
        duration: null,
        sha256: sha256(content),
      });
      const response = await fetch(`${test.url}${recording.url}`, {
        headers: { authorization: `Bearer ${agent.token}` },
      });
      expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(sha256(Buffer.from(await response.arrayBuffer()))).toBe(sha256(content));
    },
  );

  it('is sent by clients that know only POST', async () => {
    const content = recordingOf(2 * MIB);
    const { requests, recordingId } = await uploadAll(peer, content, {
      endpoint: test.url + tusPath(callId),
      chunkSize: MIB,
      overridePatchMethod: true,
    });
    expect(requests).toEqual(['POST 201', 'POST 204', 'POST 204']);
    expect(recordingId).toBe((await recordings())[0].id);
    await expectRecorded(content);
  });

  it('is asked for and cancelled by POST, too', async () => {
    const location = await peer.begin(callId, 2 * MIB);
    await peer.patch(location, 0, recordingOf(MIB));
    const send = (override?: string) =>
      peer.send('POST', location, { headers: override ? { 'x-http-method-override': override } : {} });
    const { status, headers } = await send('head');
    expect([status, headers.get('upload-offset')]).toEqual([204, String(MIB)]);
    for (const override of [undefined, 'PUT', 'POST']) {
      expectFailure(await send(override), 400, { code: 'bad_request' });
    }
    expect((await send('DELETE')).status).toBe(204);
    // An error has a body, as of any POST.
    expectFailure(await send('HEAD'), 404, { code: 'not_found' });
    expect(await peer.offset(location)).toBe(-1);
  });

  it('is stored in parts of 8 MiB while it is sent as one stream', async () => {
    const content = recordingOf(MAX_RECORDING_BYTES);
    const location = await peer.begin(callId, MAX_RECORDING_BYTES);
    const { abort: breakOff, answer } = peer.open(
      location,
      0,
      MAX_RECORDING_BYTES,
      content.subarray(0, MAX_RECORDING_BYTES - 1),
    );
    await until(async () => (await parts()).length === 2);
    expect(await parts()).toEqual([8 * MIB, 8 * MIB]);
    breakOff();
    await answer;
    const stored = await until(async () => {
      const offset = await peer.offset(location);
      return offset > 16 * MIB && offset;
    });
    const end = await peer.patch(location, stored, content.subarray(stored));
    expect(end.status).toBe(204);
    await expectRecorded(content);
  });

  it('may be sent in the creation request', async () => {
    const content = recordingOf(MIB);
    const answer = await peer.create(callId, MIB, { body: content, headers: CONTENT_HEADERS });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('upload-offset')).toBe(String(MIB));
    expect(answer.headers.get('recording-id')).toBe((await recordings())[0].id);
    expect(answer.headers.get('upload-expires')).toBeNull();
    await expectRecorded(content);
  });

  it('may start with pieces that are too small to detect its type', async () => {
    const content = recordingOf(20_000);
    const location = await peer.begin(callId, content.length);
    for (const [start, end] of [
      [0, 1],
      [1, 4],
      [4, 20_000],
    ] as const) {
      expect((await peer.patch(location, start, content.subarray(start, end))).status).toBe(204);
    }
    await expectRecorded(content);
  });

  it('may declare its length in the last chunk', async () => {
    const content = recordingOf(2 * MIB);
    const location = await peer.begin(callId);
    expect((await peer.head(location)).headers.get('upload-defer-length')).toBe('1');
    expect((await peer.patch(location, 0, content.subarray(0, MIB))).status).toBe(204);
    const length = { 'upload-length': String(2 * MIB) };
    const last = await peer.patch(location, MIB, content.subarray(MIB), length);
    expect([last.status, last.headers.get('upload-expires')]).toEqual([204, null]);
    await expectRecorded(content);
  });

  it('may declare its length after the last chunk', async () => {
    const content = recordingOf(MIB);
    const location = await peer.begin(callId);
    expect((await peer.patch(location, 0, content)).headers.get('recording-id')).toBeNull();
    const last = await peer.patch(location, MIB, '', { 'upload-length': String(MIB) });
    expect([last.status, last.headers.get('recording-id')]).toEqual([204, expect.any(String)]);
    await expectRecorded(content);
  });
});

describe('an interrupted upload', () => {
  it('is resumed by another client at the last stored byte', async () => {
    const content = recordingOf(6 * MIB);
    const location = await peer.begin(callId, content.length);
    const { sent, abort: breakOff } = peer.open(location, 0, content.length, content.subarray(0, 3 * MIB));
    await sent;
    breakOff();
    const offset = await until(async () => {
      const [upload] = await uploads();
      return Number(upload.received) > 0 && Number(upload.received);
    });
    // A few buffers in transit may be lost, but the part in progress is stored.
    expect(offset).toBeGreaterThan(2 * MIB);
    expect(await peer.offset(location)).toBe(offset);
    expect(await parts()).toEqual([offset]);

    const { requests } = await uploadAll(peer, content, { uploadUrl: test.url + location });
    expect(requests).toEqual(['HEAD 200', 'PATCH 204']);
    await expectRecorded(content);
  });

  it('can be continued on a new connection while the old one hangs', async () => {
    const content = recordingOf(4 * MIB);
    const location = await peer.begin(callId, content.length);
    const hanging = peer.open(location, 0, content.length, content.subarray(0, 2 * MIB));
    const offset = await until(async () => (await peer.offset(location)) || undefined);
    expect(offset).toBeLessThanOrEqual(2 * MIB);
    expect((await peer.patch(location, offset, content.subarray(offset))).status).toBe(204);
    hanging.abort();
    await expectRecorded(content);
  });

  it('can be completed after the plan has ended, but no upload can be created', async () => {
    const content = recordingOf(MIB);
    const location = await peer.begin(callId, MIB);
    await setSubscriptionStatus('cancelled');
    try {
      expect((await peer.patch(location, 0, content)).status).toBe(204);
      expectFailure(await peer.create(callId, MIB), 403, { code: 'feature_not_in_plan' });
    } finally {
      await setSubscriptionStatus('active');
    }
    await expectRecorded(content);
  });
});

describe('an invalid upload', () => {
  it.each([1, MIB - 1, 2 * MIB])(
    'is rejected with 409 at offset %d, which is not its end',
    async (offset) => {
      const location = await peer.begin(callId, 3 * MIB);
      await peer.patch(location, 0, recordingOf(3 * MIB).subarray(0, MIB));
      expectFailure(await peer.patch(location, offset, Buffer.from('x')), 409, { code: 'offset_conflict' });
      expect(await peer.offset(location)).toBe(MIB);
    },
  );

  it('is not created with a declared length over the limit: 413', async () => {
    expectFailure(await peer.create(callId, MAX_RECORDING_BYTES + 1), 413, { code: 'payload_too_large' });
    expect(await uploads()).toEqual([]);
  });

  it('is rejected with 413 when it exceeds its declared length', async () => {
    const location = await peer.begin(callId, MIB);
    const content = recordingOf(MIB + 1);
    expectFailure(await peer.patch(location, 0, content), 413, { code: 'payload_too_large' });
    const stream = new Blob([content]).stream();
    expectFailure(await peer.patch(location, 0, stream), 413, { code: 'payload_too_large' });
    expect(await peer.offset(location)).toBeLessThan(MIB);
  });

  it('is rejected with 413 when it exceeds the limit without a declared length', async () => {
    const location = await peer.begin(callId);
    const content = recordingOf(MAX_RECORDING_BYTES + 1);
    expectFailure(await peer.patch(location, 0, content), 413, { code: 'payload_too_large' });
    const stream = new Blob([content]).stream();
    expectFailure(await peer.patch(location, 0, stream), 413, { code: 'payload_too_large' });
    const offset = await peer.offset(location);
    expect(offset).toBeLessThanOrEqual(MAX_RECORDING_BYTES);
    const more = { 'upload-length': String(MAX_RECORDING_BYTES + 1) };
    expectFailure(await peer.patch(location, offset, '', more), 413);
  });

  it('is rejected with 422 when it is empty', async () => {
    expectFailure(await peer.create(callId, 0), 422);
    expect(await uploads()).toEqual([]);
    const location = await peer.begin(callId);
    expectFailure(await peer.patch(location, 0, '', { 'upload-length': '0' }), 422);
  });

  const notMedia = Buffer.alloc(MIB, '<html>');

  it('is rejected with 422 and removed when it is not a recording', async () => {
    const location = await peer.begin(callId, MIB);
    expectFailure(await peer.patch(location, 0, notMedia), 422);
    expect((await peer.head(location)).status).toBe(404);
    expectFailure(await peer.create(callId, MIB, { body: notMedia, headers: CONTENT_HEADERS }), 422);
    expect(await uploads()).toEqual([]);
    expect(await recordings()).toEqual([]);
  });

  it('is rejected with 422 when its content is recognised as something else than declared', async () => {
    const headers = { 'upload-metadata': `filetype ${Buffer.from('video/webm').toString('base64')}` };
    const location = await peer.begin(callId, MIB, { headers });
    const document = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(MIB - 9)]);
    expectFailure(await peer.patch(location, 0, document), 422);
    expect((await peer.head(location)).status).toBe(404);
  });

  it('is rejected with 422 at its end when small pieces hid that it is not a recording', async () => {
    const location = await peer.begin(callId, 1000);
    expect((await peer.patch(location, 0, notMedia.subarray(0, 500))).status).toBe(204);
    expectFailure(await peer.patch(location, 500, notMedia.subarray(500, 1000)), 422);
    expect((await peer.head(location)).status).toBe(404);
    expect(await recordings()).toEqual([]);
  });

  it.each<[string, number, Record<string, string>, string | undefined]>([
    ['another protocol version', 412, { 'tus-resumable': '0.2.2' }, 'tus_version'],
    ['another content type', 400, { 'content-type': 'text/plain' }, undefined],
    ['a negative offset', 400, { 'upload-offset': '-1' }, undefined],
    ['an offset that is not a number', 400, { 'upload-offset': 'x' }, undefined],
    ['a second length', 400, { 'upload-length': '7' }, undefined],
  ])('is rejected for %s with %d', async (_what, status, headers, code) => {
    const location = await peer.begin(callId, MIB);
    const answer = await peer.patch(location, 0, 'x', headers);
    expectFailure(answer, status, code ? { code } : {});
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0');
    if (status === 412) expect(answer.headers.get('tus-version')).toBe('1.0.0');
    expect(await peer.offset(location)).toBe(0);
  });

  it.each<[string, Record<string, string>]>([
    ['no length', {}],
    ['a negative length', { 'upload-length': '-1' }],
    ['two lengths', { 'upload-length': '5', 'upload-defer-length': '1' }],
    ['malformed metadata', { 'upload-length': '5', 'upload-metadata': 'filename %%%' }],
    ['a concatenation', { 'upload-length': '5', 'upload-concat': 'partial' }],
  ])('is not created with %s: 400', async (_what, headers) => {
    expectFailure(await peer.send('POST', tusPath(callId), { headers }), 400);
    expect(await uploads()).toEqual([]);
  });

  it('is read to its end after it is rejected, because browsers read the response only then', async () => {
    const location = await peer.begin(callId, MAX_RECORDING_BYTES);
    const { answer, sent } = peer.open(
      location,
      7,
      MAX_RECORDING_BYTES - 7,
      recordingOf(MAX_RECORDING_BYTES - 7),
    );
    expect([await answer, await sent]).toEqual([409, true]);
    expect((await peer.patch(location, 0, recordingOf(MAX_RECORDING_BYTES))).status).toBe(204);
  });
});

describe('access to an upload', () => {
  it('answers 404 to other tenants, to other users and under other calls', async () => {
    const location = await peer.begin(callId, MIB);
    const id = location.split('/').at(-1) ?? '';
    const { owner } = await TestTenant.register(test);
    const elsewhere = `${tusPath((await tenant.join(link)).call_id)}/${id}`;
    const strangers: [TusClient, string][] = [
      [new TusClient(test.url, owner.token), location],
      [new TusClient(test.url, tenant.owner.token), location],
      [peer, elsewhere],
      [peer, `${tusPath(callId)}/${someId()}`],
      [peer, `${tusPath(someId())}/${id}`],
    ];
    for (const [stranger, path] of strangers) {
      expect((await stranger.head(path)).status).toBe(404);
      expectFailure(await stranger.patch(path, 0, recordingOf(MIB)), 404, { code: 'not_found' });
      expectFailure(await stranger.send('DELETE', path), 404, { code: 'not_found' });
    }
    expect(await peer.offset(location)).toBe(0);
    expect((await new TusClient(test.url, 'nobody').head(location)).status).toBe(401);
    expectFailure(await new TusClient(test.url, owner.token).create(callId, MIB), 404);
  });
});

describe('an unfinished upload', () => {
  it('is removed with its stored parts when it is cancelled', async () => {
    const location = await peer.begin(callId, 2 * MIB);
    await peer.patch(location, 0, recordingOf(MIB));
    expect(await parts()).toEqual([MIB]);
    expect((await peer.send('DELETE', location)).status).toBe(204);
    expect((await peer.head(location)).status).toBe(404);
    expectFailure(await peer.patch(location, MIB, 'x'), 404);
    expectFailure(await peer.send('DELETE', location), 404);
    expect(await uploads()).toEqual([]);
  });

  it('expires a day after its last byte, as Upload-Expires says', async () => {
    const location = await peer.begin(callId, 3 * MIB);
    const expiry = (header: string | null) =>
      Math.round((Date.parse(header ?? '') - test.clock.now().getTime()) / 60_000);
    test.clock.advance(DAY - 600);
    expect(expiry((await peer.head(location)).headers.get('upload-expires'))).toBe(10);
    const { headers } = await peer.patch(location, 0, recordingOf(MIB));
    expect(expiry(headers.get('upload-expires'))).toBe(24 * 60);
  });
});

describe('a browser on another origin', () => {
  const origin = 'https://app.example.com';

  it('may send the headers of the protocol and read its response headers', async () => {
    const asked = 'authorization,content-type,tus-resumable,upload-length,upload-offset';
    for (const method of ['POST', 'PATCH', 'HEAD', 'DELETE']) {
      const preflight = await fetch(test.url + tusPath(callId), {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': asked,
        },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      expect(preflight.headers.get('access-control-allow-methods')).toContain(method);
      expect(preflight.headers.get('access-control-allow-headers')).toBe(asked);
    }
    const answer = await peer.create(callId, MIB, { headers: { origin } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    const exposed = answer.headers.get('access-control-expose-headers')?.split(',') ?? [];
    expect(exposed).toEqual(expect.arrayContaining(['Location', 'Upload-Offset', 'Upload-Expires']));
    expect(answer.headers.get('location')).toMatch(new RegExp(`^${tusPath(callId)}/[0-9a-f-]{36}$`));
  });

  it('is not allowed when its origin is not configured', async () => {
    const headers = { origin: 'https://evil.example.com' };
    const answer = await peer.create(callId, MIB, { headers });
    expect(answer.headers.get('access-control-allow-origin')).not.toBe('*');
    expect(answer.headers.get('access-control-allow-origin')).not.toBe(headers.origin);
  });

  it('learns the supported version and extensions from OPTIONS', async () => {
    const { status, headers } = await fetch(test.url + tusPath(callId), { method: 'OPTIONS' });
    expect([status, headers.get('tus-version'), headers.get('tus-max-size')]).toEqual([
      204,
      '1.0.0',
      String(MAX_RECORDING_BYTES),
    ]);
    expect(headers.get('tus-extension')).toBe(
      'creation,creation-with-upload,creation-defer-length,expiration,termination',
    );
  });
});
