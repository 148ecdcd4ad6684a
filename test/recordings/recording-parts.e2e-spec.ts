import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mp4OutputFormat, WebMOutputFormat } from 'mediabunny';
import { oggAudio, video } from '../support/contexts/media';
import { TusClient } from '../support/contexts/tus';
import { documentedFetch } from '../support/http/documented-fetch';
import { type Member, someId, TestTenant } from '../support/builders';
import { StorageFolder } from '../support/service/storage-folder';
import type { Answer, Json } from '../support/http/api';
import { startTestApp, type TestApp } from '../support/test-app';

/** 1.5 s each. */
const fixture = (name: string): Buffer<ArrayBuffer> =>
  Buffer.from(readFileSync(join(__dirname, '..', 'fixtures', name)));
const WEBM = fixture('call.webm');

let test: TestApp;
let storage: StorageFolder;
let tenant: TestTenant;
let agent: Member;
let callId: string;
let link: { token: string };

beforeAll(async () => {
  storage = new StorageFolder();
  test = await startTestApp({ env: { ...storage.env, MAX_RECORDING_MB: '1' } });
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  ({ link } = await tenant.queue({ max_queue_size: 1000 }));
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

beforeEach(async () => {
  await test.db.query('DELETE FROM recording_uploads');
  callId = (await tenant.join(link)).call_id;
});

const metadataOf = (part: number | string) => ({
  'upload-metadata': `filetype ${btoa('video/webm')},part ${btoa(String(part))}`,
});

/** Uploads a part of the call's recording. @returns the last response */
async function upload(part: number, content = WEBM, { token } = agent): Promise<Answer> {
  const peer = new TusClient(test.url, token);
  const location = await peer.begin(callId, content.length, { headers: metadataOf(part) });
  return peer.patch(location, 0, content);
}

const recordings = async () => (await agent.api.get(`/api/v1/calls/${callId}/recordings`)).body.data;

async function contentOf(id: string): Promise<Buffer<ArrayBuffer>> {
  const response = await documentedFetch(`${test.url}/api/v1/calls/${callId}/recording?recording_id=${id}`, {
    headers: { authorization: `Bearer ${agent.token}` },
  });
  return Buffer.from(await response.arrayBuffer());
}

/** The bytes that count towards the plan's storage. */
async function usedBytes(): Promise<number> {
  const { rows } = await test.db.query('SELECT sum(size)::int AS size FROM recordings WHERE tenant_id = $1', [
    tenant.id,
  ]);
  return rows[0].size;
}

/** Events of the call's recordings, oldest first. */
async function events(): Promise<string[]> {
  const { rows } = await test.db.query(
    `SELECT type FROM domain_events WHERE tenant_id = $1 AND type LIKE 'recording.%' AND payload ->> 'call_id' = $2
     ORDER BY id`,
    [tenant.id, callId],
  );
  return rows.map(({ type }) => type);
}

describe('parts of a recording', () => {
  it('become one recording that is as long as all of them', async () => {
    const first = await upload(1);
    expect([first.status, first.headers.get('recording-id')]).toEqual([204, (await recordings())[0].id]);
    expect(await recordings()).toEqual([
      expect.objectContaining({ content_type: 'video/webm', duration: 2 }),
    ]);
    const second = await upload(2);
    const [recording, ...others] = await recordings();
    expect(others).toEqual([]);
    expect(second.headers.get('recording-id')).toBe(recording.id);
    expect(recording).toMatchObject({ content_type: 'video/webm', duration: 3 });

    // The service finds the same duration when it inspects the file as one of unknown origin.
    const content = await contentOf(recording.id);
    expect(content.length).toBe(recording.size);
    callId = (await tenant.join(link)).call_id;
    const form = new FormData();
    form.append('file', new Blob([content], { type: 'video/webm' }), 'joined.webm');
    const { body } = await agent.api.post(`/api/v1/calls/${callId}/recording/upload`, form);
    expect(body.data).toMatchObject({ content_type: 'video/webm', duration: 3 });
  });

  it('give the same recording in any order, and when they are uploaded at the same time', async () => {
    const contents: string[] = [];
    for (const order of [
      [1, 20, 300],
      [300, 1, 20],
      [20, 300, 1],
    ]) {
      callId = (await tenant.join(link)).call_id;
      for (const part of order) expect((await upload(part)).status).toBe(204);
      contents.push((await recordings())[0].sha256);
    }
    callId = (await tenant.join(link)).call_id;
    const answers = await Promise.all([1, 2, 3].map((part) => upload(part)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const [recording, ...others] = await recordings();
    expect(others).toEqual([]);
    expect([...contents, recording.sha256]).toEqual(Array(4).fill(contents[0]));
    expect(recording.duration).toBe(5);
  });

  it('add nothing when they are repeated', async () => {
    await upload(1);
    await upload(2);
    const before = await recordings();
    const repeated = await upload(2);
    expect([repeated.status, repeated.headers.get('recording-id')]).toEqual([204, before[0].id]);
    expect(await recordings()).toEqual(before);
  });

  it('replace the recording, also for webhooks and for the storage of the plan', async () => {
    await upload(1);
    const before = await usedBytes();
    await upload(2);
    expect(await events()).toEqual(['recording.ready', 'recording.deleted', 'recording.ready']);
    expect(await usedBytes()).toBeLessThan(before + WEBM.length + 1000);
    const { rows } = await test.db.query(
      'SELECT recording_bytes::int AS bytes FROM storage_usage WHERE tenant_id = $1',
      [tenant.id],
    );
    expect(rows[0].bytes).toBe(await usedBytes());
  });

  it('leave other recordings of the call alone', async () => {
    const colleague = await tenant.member();
    const peer = new TusClient(test.url, agent.token);
    await peer.patch(await peer.begin(callId, WEBM.length), 0, WEBM);
    await upload(1);
    await upload(1, WEBM, colleague);
    await upload(2);
    const durations = (await recordings()).map(({ duration }: { duration: number }) => duration);
    expect(durations.toSorted()).toEqual([2, 2, 3]);
  });

  it.each([
    ['other tracks', fixture('call-audio.webm')],
    ['another format', fixture('call.mp4')],
    ['a length beyond the limit', Buffer.concat([WEBM, Buffer.alloc(1024 * 1024 - WEBM.length, 0xff)])],
  ])('are recordings of their own with %s, and replace nothing', async (_what, content) => {
    await upload(1);
    const [first] = await recordings();
    const { status, headers } = await upload(2, content);
    expect(status).toBe(204);
    const both = await recordings();
    expect(both).toHaveLength(2);
    expect(both).toContainEqual(first);
    expect((await contentOf(headers.get('recording-id') ?? '')).equals(content)).toBe(true);
    expect((await test.db.query('SELECT FROM recording_uploads WHERE finished_at IS NULL')).rows).toEqual([]);
  });

  it.each([
    ['Ogg', 'audio/ogg', () => oggAudio(8, 3600)],
    ['MP4', 'video/mp4', () => video(new Mp4OutputFormat({ fastStart: 'fragmented' }), 8, 1000, 3600)],
  ])(
    'that begin at an hour are as long as their content, as recordings of their own: %s',
    async (_what, content_type, make) => {
      await upload(1);
      const { status, headers } = await upload(2, Buffer.from(await make()));
      expect(status).toBe(204);
      const id = headers.get('recording-id');
      const durations = (await recordings()).map((each: Json) => [
        each.id === id,
        each.content_type,
        each.duration,
      ]);
      expect(durations.toSorted()).toEqual([
        [false, 'video/webm', 2],
        [true, content_type, 8],
      ]);
    },
  );

  it('that begin at an hour are joined by the length of their content: WebM', async () => {
    const part = Buffer.from(await video(new WebMOutputFormat({ appendOnly: true }), 8, 1000, 3600));
    await upload(1, part);
    expect(await recordings()).toEqual([expect.objectContaining({ duration: 8 })]);
    await upload(2, part);
    expect(await recordings()).toEqual([
      expect.objectContaining({ content_type: 'video/webm', duration: 16 }),
    ]);
  });

  it('need a number, and a call of this company', async () => {
    const peer = new TusClient(test.url, agent.token);
    for (const part of ['0', '-1', '1.5', 'x', '9'.repeat(17)]) {
      const { status, body } = await peer.create(callId, 10, { headers: metadataOf(part) });
      expect([status, Object.keys(body.errors.fields)]).toEqual([422, ['part']]);
    }
    const other = await TestTenant.register(test);
    const stranger = new TusClient(test.url, (await other.member()).token);
    for (const id of [callId, someId()]) {
      expect((await stranger.create(id, 10, { headers: metadataOf(1) })).status).toBe(404);
    }
  });

  it('begin another recording after a manager deleted the joined one', async () => {
    await upload(1);
    const [{ id }] = await recordings();
    const path = `/api/v1/calls/${callId}/recording?recording_id=${id}`;
    expect((await tenant.owner.api.delete(path)).status).toBe(204);
    await upload(2);
    expect(await recordings()).toEqual([expect.objectContaining({ duration: 2 })]);
  });
});
