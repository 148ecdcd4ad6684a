import { type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { complete, CONTENT, MIB, recordingOf, sha256, TusPeer } from '../support/contexts/tus';
import { until } from '../support/until';

const LARGEST = 20 * MIB;
const DAY = 24 * 60 * 60;

let test: TestApp;
let storage: StorageFolder;
let tenant: TestTenant;
let agent: Member;
let peer: TusPeer;
let callId: string;
let link: { token: string };

beforeAll(async () => {
  storage = new StorageFolder();
  test = await startTestApp({
    env: { ...storage.env, MAX_RECORDING_MB: '20', CORS_ORIGINS: 'https://app.example.com' },
  });
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  peer = new TusPeer(test.url, agent.token);
  ({ link } = await tenant.queue({ max_queue_size: 1000 }));
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

beforeEach(async () => {
  // A user may have so many under way, and most tests here leave one.
  await test.db.query('DELETE FROM recording_uploads');
  callId = (await tenant.join(link)).call_id;
});

const subscriptionIs = (status: string) =>
  test.db.query('UPDATE subscriptions SET status = $1 WHERE tenant_id = $2', [status, tenant.id]);

const addressOf = (id: string) => `/api/v1/calls/${id}/recording/tus`;

/** The recordings of the call, as they are listed. */
const recordings = async () => (await agent.api.get(`/api/v1/calls/${callId}/recordings`)).body.data;

async function contentOf(id: string): Promise<Buffer> {
  const response = await fetch(`${test.url}/api/v1/calls/${callId}/recording?recording_id=${id}`, {
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

describe('a whole upload', () => {
  it('comes in chunks and is the recording of the call', async () => {
    const content = recordingOf(3 * MIB + 12_345);
    const { url, requests, recordingId } = await complete(peer, content, {
      endpoint: test.url + addressOf(callId),
      chunkSize: MIB,
      metadata: { filename: 'chamada número 1.webm' },
    });
    expect(requests).toEqual(['POST 201', 'PATCH 204', 'PATCH 204', 'PATCH 204', 'PATCH 204']);
    expect(recordingId).toBe((await recordings())[0].id);
    await expectRecorded(content);
    const { body } = await agent.api.get(`/api/v1/calls/${callId}`);
    expect(body.data.has_recording).toBe(true);
    // Whoever did not hear of the end asks, and learns that nothing is missing.
    const { headers } = await peer.head(new URL(url).pathname);
    expect([headers.get('upload-offset'), headers.get('upload-length')]).toEqual(
      Array(2).fill(String(content.length)),
    );
    expect(headers.get('upload-metadata')).toContain('filename ');
    expect(await parts()).toEqual([]);
  });

  it('comes as one stream, and is stored in parts of 8 MiB on the way', async () => {
    const content = recordingOf(LARGEST);
    const location = await peer.begin(callId, LARGEST);
    const { breakOff, answer } = peer.open(location, 0, LARGEST, content.subarray(0, LARGEST - 1));
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

  it('comes with its creation', async () => {
    const content = recordingOf(MIB);
    const answer = await peer.create(callId, MIB, { body: content, headers: CONTENT });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('upload-offset')).toBe(String(MIB));
    expect(answer.headers.get('recording-id')).toBe((await recordings())[0].id);
    expect(answer.headers.get('upload-expires')).toBeNull();
    await expectRecorded(content);
  });

  it('comes in first pieces too small to tell what it is', async () => {
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

  it('says how long it is at the end', async () => {
    const content = recordingOf(2 * MIB);
    const location = await peer.begin(callId);
    expect((await peer.head(location)).headers.get('upload-defer-length')).toBe('1');
    expect((await peer.patch(location, 0, content.subarray(0, MIB))).status).toBe(204);
    const length = { 'upload-length': String(2 * MIB) };
    const last = await peer.patch(location, MIB, content.subarray(MIB), length);
    expect([last.status, last.headers.get('upload-expires')]).toEqual([204, null]);
    await expectRecorded(content);
  });

  it('says how long it is once all has come', async () => {
    const content = recordingOf(MIB);
    const location = await peer.begin(callId);
    expect((await peer.patch(location, 0, content)).headers.get('recording-id')).toBeNull();
    const last = await peer.patch(location, MIB, '', { 'upload-length': String(MIB) });
    expect([last.status, last.headers.get('recording-id')]).toEqual([204, expect.any(String)]);
    await expectRecorded(content);
  });
});

describe('an interrupted upload', () => {
  it('is resumed by another client where the first one broke off', async () => {
    const content = recordingOf(6 * MIB);
    const location = await peer.begin(callId, content.length);
    const { sent, breakOff } = peer.open(location, 0, content.length, content.subarray(0, 3 * MIB));
    await sent;
    breakOff();
    const offset = await until(async () => {
      const [upload] = await uploads();
      return Number(upload.received) > 0 && Number(upload.received);
    });
    // A few buffers on the way may be lost, the part that had begun is not.
    expect(offset).toBeGreaterThan(2 * MIB);
    expect(await peer.offset(location)).toBe(offset);
    expect(await parts()).toEqual([offset]);

    const { requests } = await complete(peer, content, { uploadUrl: test.url + location });
    expect(requests).toEqual(['HEAD 200', 'PATCH 204']);
    await expectRecorded(content);
  });

  it('is taken over from a line that hangs', async () => {
    const content = recordingOf(4 * MIB);
    const location = await peer.begin(callId, content.length);
    const hanging = peer.open(location, 0, content.length, content.subarray(0, 2 * MIB));
    const offset = await until(async () => (await peer.offset(location)) || undefined);
    expect(offset).toBeLessThanOrEqual(2 * MIB);
    expect((await peer.patch(location, offset, content.subarray(offset))).status).toBe(204);
    hanging.breakOff();
    await expectRecorded(content);
  });

  it('goes on when the plan does so no longer, but none is begun', async () => {
    const content = recordingOf(MIB);
    const location = await peer.begin(callId, MIB);
    await subscriptionIs('canceled');
    try {
      expect((await peer.patch(location, 0, content)).status).toBe(204);
      expectFailure(await peer.create(callId, MIB), 403, { code: 'feature_not_in_plan' });
    } finally {
      await subscriptionIs('active');
    }
    await expectRecorded(content);
  });
});

describe('what does not fit', () => {
  it.each([1, MIB - 1, 2 * MIB])('goes on elsewhere than at the end: %d is 409', async (offset) => {
    const location = await peer.begin(callId, 3 * MIB);
    await peer.patch(location, 0, recordingOf(3 * MIB).subarray(0, MIB));
    expectFailure(await peer.patch(location, offset, Buffer.from('x')), 409, { code: 'offset_conflict' });
    expect(await peer.offset(location)).toBe(MIB);
  });

  it('is longer than a recording may be: 413, and nothing begins', async () => {
    expectFailure(await peer.create(callId, LARGEST + 1), 413, { code: 'payload_too_large' });
    expect(await uploads()).toEqual([]);
  });

  it('is longer than was said: 413', async () => {
    const location = await peer.begin(callId, MIB);
    const content = recordingOf(MIB + 1);
    expectFailure(await peer.patch(location, 0, content), 413, { code: 'payload_too_large' });
    const stream = new Blob([content]).stream();
    expectFailure(await peer.patch(location, 0, stream), 413, { code: 'payload_too_large' });
    expect(await peer.offset(location)).toBeLessThan(MIB);
  });

  it('grows too long without having said so: 413', async () => {
    const location = await peer.begin(callId);
    const content = recordingOf(LARGEST + 1);
    expectFailure(await peer.patch(location, 0, content), 413, { code: 'payload_too_large' });
    const stream = new Blob([content]).stream();
    expectFailure(await peer.patch(location, 0, stream), 413, { code: 'payload_too_large' });
    const offset = await peer.offset(location);
    expect(offset).toBeLessThanOrEqual(LARGEST);
    const more = { 'upload-length': String(LARGEST + 1) };
    expectFailure(await peer.patch(location, offset, '', more), 413);
  });

  it('is nothing: 422', async () => {
    expectFailure(await peer.create(callId, 0), 422);
    expect(await uploads()).toEqual([]);
    const location = await peer.begin(callId);
    expectFailure(await peer.patch(location, 0, '', { 'upload-length': '0' }), 422);
  });

  const noMedia = Buffer.alloc(MIB, '<html>');

  it('is no recording: 422, and nothing is left', async () => {
    const location = await peer.begin(callId, MIB);
    expectFailure(await peer.patch(location, 0, noMedia), 422);
    expect((await peer.head(location)).status).toBe(404);
    expectFailure(await peer.create(callId, MIB, { body: noMedia, headers: CONTENT }), 422);
    expect(await uploads()).toEqual([]);
    expect(await recordings()).toEqual([]);
  });

  it('is no recording, and came in pieces too small to tell: 422 at the end', async () => {
    const location = await peer.begin(callId, 1000);
    expect((await peer.patch(location, 0, noMedia.subarray(0, 500))).status).toBe(204);
    expectFailure(await peer.patch(location, 500, noMedia.subarray(500, 1000)), 422);
    expect((await peer.head(location)).status).toBe(404);
    expect(await recordings()).toEqual([]);
  });

  it.each<[string, number, Record<string, string>, string | undefined]>([
    ['another version of the protocol', 412, { 'tus-resumable': '0.2.2' }, 'tus_version'],
    ['another type of content', 400, { 'content-type': 'text/plain' }, undefined],
    ['an offset below nothing', 400, { 'upload-offset': '-1' }, undefined],
    ['an offset that is no number', 400, { 'upload-offset': 'x' }, undefined],
    ['a length once more', 400, { 'upload-length': '7' }, undefined],
  ])('is said with %s: %d', async (_what, status, headers, code) => {
    const location = await peer.begin(callId, MIB);
    const answer = await peer.patch(location, 0, 'x', headers);
    expectFailure(answer, status, code ? { code } : {});
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0');
    if (status === 412) expect(answer.headers.get('tus-version')).toBe('1.0.0');
    expect(await peer.offset(location)).toBe(0);
  });

  it.each<[string, Record<string, string>]>([
    ['no length', {}],
    ['a length below nothing', { 'upload-length': '-1' }],
    ['two lengths', { 'upload-length': '5', 'upload-defer-length': '1' }],
    ['metadata that is none', { 'upload-length': '5', 'upload-metadata': 'filename %%%' }],
    ['others to be put together', { 'upload-length': '5', 'upload-concat': 'partial' }],
  ])('is begun with %s: 400', async (_what, headers) => {
    expectFailure(await peer.send('POST', addressOf(callId), { headers }), 400);
    expect(await uploads()).toEqual([]);
  });

  it('is refused before its end, which is read all the same: a browser only then looks at the answer', async () => {
    const location = await peer.begin(callId, LARGEST);
    const { answer, sent } = peer.open(location, 7, LARGEST - 7, recordingOf(LARGEST - 7));
    expect([await answer, await sent]).toEqual([409, true]);
    expect((await peer.patch(location, 0, recordingOf(LARGEST))).status).toBe(204);
  });
});

describe('whoever else asks', () => {
  it('finds nothing: of another tenant, another user, or at another call', async () => {
    const location = await peer.begin(callId, MIB);
    const id = location.split('/').at(-1) ?? '';
    const { owner } = await TestTenant.register(test);
    const elsewhere = `${addressOf((await tenant.join(link)).call_id)}/${id}`;
    const strangers: [TusPeer, string][] = [
      [new TusPeer(test.url, owner.token), location],
      [new TusPeer(test.url, tenant.owner.token), location],
      [peer, elsewhere],
      [peer, `${addressOf(callId)}/${someId()}`],
      [peer, `${addressOf(someId())}/${id}`],
    ];
    for (const [stranger, path] of strangers) {
      expect((await stranger.head(path)).status).toBe(404);
      expectFailure(await stranger.patch(path, 0, recordingOf(MIB)), 404, { code: 'not_found' });
      expectFailure(await stranger.send('DELETE', path), 404, { code: 'not_found' });
    }
    expect(await peer.offset(location)).toBe(0);
    expect((await new TusPeer(test.url, 'nobody').head(location)).status).toBe(401);
    expectFailure(await new TusPeer(test.url, owner.token).create(callId, MIB), 404);
  });
});

describe('an upload that is given up', () => {
  it('goes with what was stored of it', async () => {
    const location = await peer.begin(callId, 2 * MIB);
    await peer.patch(location, 0, recordingOf(MIB));
    expect(await parts()).toEqual([MIB]);
    expect((await peer.send('DELETE', location)).status).toBe(204);
    expect((await peer.head(location)).status).toBe(404);
    expectFailure(await peer.patch(location, MIB, 'x'), 404);
    expectFailure(await peer.send('DELETE', location), 404);
    expect(await uploads()).toEqual([]);
  });

  it('says until when it can be resumed, counted from the last byte', async () => {
    const location = await peer.begin(callId, 3 * MIB);
    const expiry = (header: string | null) =>
      Math.round((Date.parse(header ?? '') - test.clock.now().getTime()) / 60_000);
    test.clock.advance(DAY - 600);
    expect(expiry((await peer.head(location)).headers.get('upload-expires'))).toBe(10);
    const { headers } = await peer.patch(location, 0, recordingOf(MIB));
    expect(expiry(headers.get('upload-expires'))).toBe(24 * 60);
  });
});

describe('a browser on another site', () => {
  const origin = 'https://app.example.com';

  it('is allowed to send what the protocol needs, and to read the answers', async () => {
    const asked = 'authorization,content-type,tus-resumable,upload-length,upload-offset';
    for (const method of ['POST', 'PATCH', 'HEAD', 'DELETE']) {
      const preflight = await fetch(test.url + addressOf(callId), {
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
    expect(answer.headers.get('location')).toMatch(new RegExp(`^${addressOf(callId)}/[0-9a-f-]{36}$`));
  });

  it('is not allowed to from elsewhere', async () => {
    const headers = { origin: 'https://evil.example.com' };
    const answer = await peer.create(callId, MIB, { headers });
    expect(answer.headers.get('access-control-allow-origin')).not.toBe('*');
    expect(answer.headers.get('access-control-allow-origin')).not.toBe(headers.origin);
  });

  it('asks what is spoken here', async () => {
    const { status, headers } = await fetch(test.url + addressOf(callId), { method: 'OPTIONS' });
    expect([status, headers.get('tus-version'), headers.get('tus-max-size')]).toEqual([
      204,
      '1.0.0',
      String(LARGEST),
    ]);
    expect(headers.get('tus-extension')).toBe(
      'creation,creation-with-upload,creation-defer-length,expiration,termination',
    );
  });
});
