import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { fixture, newRecording, recorded, recordingRows } from '../support/contexts/recordings';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let link: Json;
const storage = new StorageFolder();

beforeAll(async () => {
  test = await startTestApp({ env: { ...storage.env, QUEUE_ABSENCE_SECONDS: '36000' } });
  tenant = await TestTenant.register(test);
  ({ link } = await tenant.queue({ max_queue_size: 1000, max_wait_time: 36_000 }));
  agent = await tenant.member('attendant');
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

const newCall = async (): Promise<string> => (await tenant.join(link)).call_id;
const pathOf = (callId: string) => `/api/v1/calls/${callId}/recording`;

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const authorization = `Bearer ${agent.token}`;
  const response = await fetch(test.url + path, { method, headers: { authorization, ...headers } });
  const content = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, content };
}

/** A call with a recording, and what is in it. */
async function aRecording(content = newRecording()) {
  const callId = await newCall();
  const recording = await recorded(test, callId, agent, content);
  return { callId, path: pathOf(callId), recording, content };
}

describe('the recording of a call', () => {
  it('comes as it was sent, with what a player and a cache need', async () => {
    const { path, content, recording } = await aRecording();
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.content).toEqual(content);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'video/webm',
      'content-length': String(content.length),
      'accept-ranges': 'bytes',
      etag: `"${recording.sha256}"`,
      'repr-digest': `sha-256=:${createHash('sha256').update(content).digest('base64')}:`,
      'last-modified': new Date(recording.inserted_at).toUTCString(),
      'content-disposition': `inline; filename=recording-${recording.inserted_at.slice(0, 10)}.webm`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it.each([
    ['call-audio.webm', 'audio/webm', 'webm'],
    ['call.mp4', 'video/mp4', 'mp4'],
  ] as const)('%s is %s and is saved as .%s', async (name, type, extension) => {
    const { headers } = await get((await aRecording(fixture(name))).path);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toMatch(new RegExp(`\\.${extension}$`));
  });

  it('is the newest, or the one that is named', async () => {
    const callId = await newCall();
    const contents = [newRecording(), newRecording(), newRecording()];
    const all: Json[] = [];
    for (const content of contents) {
      test.clock.advance(1);
      all.push(await recorded(test, callId, agent, content));
    }
    expect((await get(pathOf(callId))).content).toEqual(contents[2]);
    for (const [index, { id, url }] of all.entries()) {
      expect((await get(url)).content).toEqual(contents[index]);
      expect((await get(`${pathOf(callId)}?recording_id=${id.toUpperCase()}`)).content).toEqual(
        contents[index],
      );
    }
  });

  it('comes in parts, to go on with', async () => {
    const { path, content, recording } = await aRecording();
    const { length } = content;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=0-', 0, length - 1],
      ['bytes=100-299', 100, 299],
      ['bytes=-10', length - 10, length - 1],
      [`bytes=100-${length * 2}`, 100, length - 1],
    ] as const) {
      for (const ifRange of [undefined, `"${recording.sha256}"`]) {
        const answer = await get(path, { range, ...(ifRange ? { 'if-range': ifRange } : {}) });
        expect([range, answer.status]).toEqual([range, 206]);
        expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/${length}`);
        expect(answer.content).toEqual(content.subarray(start, end + 1));
      }
    }
    const other = await get(path, { range: 'bytes=0-9', 'if-range': '"another"' });
    expect([other.status, other.content]).toEqual([200, content]);
  });

  it('has no bytes behind its end: 416', async () => {
    const { path, content } = await aRecording();
    const answer = await get(path, { range: `bytes=${content.length}-` });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${content.length}`]);
    expect(JSON.parse(answer.content.toString()).errors.code).toBe('range_not_satisfiable');
  });

  it('is not sent to those who have it: 304', async () => {
    const { path, recording } = await aRecording();
    const answer = await get(path, { 'if-none-match': `"${recording.sha256}"` });
    expect([answer.status, answer.content.length]).toEqual([304, 0]);
  });

  it('HEAD tells all but the content', async () => {
    const { path, content } = await aRecording();
    const [whole, head] = [await get(path), await get(path, {}, 'HEAD')];
    expect([head.status, head.content.length]).toEqual([200, 0]);
    for (const name of ['content-length', 'content-type', 'etag', 'repr-digest', 'accept-ranges']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
    expect(head.headers.get('content-length')).toBe(String(content.length));
  });
});

describe('there is none', () => {
  it('without one, under another id, or of another call: 404', async () => {
    const callId = await newCall();
    const { recording } = await aRecording();
    const { api } = agent;
    for (const query of ['', `?recording_id=${someId()}`, `?recording_id=${recording.id}`]) {
      expectFailure(await api.get(pathOf(callId) + query), 404, { code: 'not_found' });
      expect((await get(pathOf(callId) + query, {}, 'HEAD')).status).toBe(404);
    }
    const list = await api.get(`/api/v1/calls/${callId}/recordings`);
    expect([list.status, list.body]).toEqual([200, { data: [] }]);
    expectFailure(await api.get(pathOf(someId())), 404);
  });

  it('under an id that is none: 400', async () => {
    const { path } = await aRecording();
    for (const query of ['x', '', '1', `${someId()}&recording_id=${someId()}`, '%00']) {
      expectFailure(await agent.api.get(`${path}?recording_id=${query}`), 400);
    }
  });

  it('without a token: 401', async () => {
    const { path, recording } = await aRecording();
    expectFailure(await test.api.get(path), 401);
    expectFailure(await test.api.get(recording.url), 401);
  });

  it('where the storage has lost it: 404, and the next upload is none the worse', async () => {
    const { callId, path } = await aRecording();
    const [{ storage_key }] = (await recordingRows(test, callId)) as [Json];
    rmSync(join(storage.path, storage_key));
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('etag')).toBeNull();
    expect(JSON.parse(answer.content.toString()).errors.code).toBe('not_found');
    test.clock.advance(1);
    await recorded(test, callId, agent);
    expect((await get(path)).status).toBe(200);
  });
});

/** How often this process, which is the service, too, has the object's file open. */
const openFiles = (key: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(key);
    } catch {
      return false;
    }
  }).length;

describe('a player that goes away', () => {
  it('in the middle frees the file, time and again', async () => {
    const callId = await newCall();
    // More than sockets hold back, so that the file stays open while nobody reads on.
    await recorded(test, callId, agent, Buffer.concat([fixture('call.webm'), randomBytes(24 * 1024 * 1024)]));
    const [{ storage_key }] = (await recordingRows(test, callId)) as [Json];
    for (let round = 0; round < 5; round++) {
      const request = httpRequest(test.url + pathOf(callId), {
        headers: { authorization: `Bearer ${agent.token}`, range: 'bytes=0-' },
      });
      const response = await new Promise<IncomingMessage>((resolve) => request.on('response', resolve).end());
      expect(response.statusCode).toBe(206);
      response.once('data', () => response.pause());
      await until(() => openFiles(storage_key) === 1);
      request.on('error', () => {});
      request.destroy();
      await until(() => openFiles(storage_key) === 0);
    }
    expectStatus(await agent.api.get(`/api/v1/calls/${callId}`), 200);
  });
});
