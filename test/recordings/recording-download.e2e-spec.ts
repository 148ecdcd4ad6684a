import { documentedFetch } from '../support/http/documented-fetch';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { dayOf } from '../../src/platform/clock/time-zone';
import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { readFixture, newRecording, createRecording, recordingRows } from '../support/contexts/recordings';
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
const recordingPath = (callId: string) => `/api/v1/calls/${callId}/recording`;

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const authorization = `Bearer ${agent.token}`;
  const response = await documentedFetch(test.url + path, { method, headers: { authorization, ...headers } });
  const content = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, content };
}

/** Creates a call with a recording and returns the recording, its path and its content. */
async function callWithRecording(content = newRecording()) {
  const callId = await newCall();
  const recording = await createRecording(test, callId, agent, content);
  return { callId, path: recordingPath(callId), recording, content };
}

describe('downloading a recording', () => {
  it('returns the content as it was uploaded, with the headers that players and caches need', async () => {
    const { path, content, recording } = await callWithRecording();
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
      'content-disposition': `inline; filename=recording-${dayOf(new Date(recording.inserted_at), 'America/Sao_Paulo')}.webm`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('names it by the day of the company, as lists show it', async () => {
    const { path, recording } = await callWithRecording();
    await test.db.query(`UPDATE recordings SET inserted_at = '2026-02-01T01:00:00Z' WHERE id = $1`, [
      recording.id,
    ]);
    const { headers } = await get(path);
    expect(headers.get('content-disposition')).toBe('inline; filename=recording-2026-01-31.webm');
  });

  it.each([
    ['call-audio.webm', 'audio/webm', 'webm'],
    ['call.mp4', 'video/mp4', 'mp4'],
  ] as const)('serves %s as %s with the file extension .%s', async (name, type, extension) => {
    const { headers } = await get((await callWithRecording(readFixture(name))).path);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toMatch(new RegExp(`\\.${extension}$`));
  });

  it('returns the newest recording, or the one that recording_id names', async () => {
    const callId = await newCall();
    const contents = [newRecording(), newRecording(), newRecording()];
    const all: Json[] = [];
    for (const content of contents) {
      test.clock.advance(1);
      all.push(await createRecording(test, callId, agent, content));
    }
    expect((await get(recordingPath(callId))).content).toEqual(contents[2]);
    for (const [index, { id, url }] of all.entries()) {
      expect((await get(url)).content).toEqual(contents[index]);
      expect((await get(`${recordingPath(callId)}?recording_id=${id.toUpperCase()}`)).content).toEqual(
        contents[index],
      );
    }
  });

  it('answers a Range request with 206, unless If-Range names another ETag', async () => {
    const { path, content, recording } = await callWithRecording();
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

  it('rejects a range beyond the end with 416', async () => {
    const { path, content } = await callWithRecording();
    const answer = await get(path, { range: `bytes=${content.length}-` });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${content.length}`]);
    expect(JSON.parse(answer.content.toString()).errors.code).toBe('range_not_satisfiable');
  });

  it('answers 304 when If-None-Match names the ETag', async () => {
    const { path, recording } = await callWithRecording();
    const answer = await get(path, { 'if-none-match': `"${recording.sha256}"` });
    expect([answer.status, answer.content.length]).toEqual([304, 0]);
  });

  it('answers HEAD with the same headers and no content', async () => {
    const { path, content } = await callWithRecording();
    const [whole, head] = [await get(path), await get(path, {}, 'HEAD')];
    expect([head.status, head.content.length]).toEqual([200, 0]);
    for (const name of ['content-length', 'content-type', 'etag', 'repr-digest', 'accept-ranges']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
    expect(head.headers.get('content-length')).toBe(String(content.length));
  });
});

describe('downloading a recording that is unavailable', () => {
  it('answers 404 without a recording, for an unknown id and for a recording of another call', async () => {
    const callId = await newCall();
    const { recording } = await callWithRecording();
    const { api } = agent;
    for (const query of ['', `?recording_id=${someId()}`, `?recording_id=${recording.id}`]) {
      expectFailure(await api.get(recordingPath(callId) + query), 404, { code: 'not_found' });
      expect((await get(recordingPath(callId) + query, {}, 'HEAD')).status).toBe(404);
    }
    const list = await api.get(`/api/v1/calls/${callId}/recordings`);
    expect([list.status, list.body]).toEqual([200, { data: [] }]);
    expectFailure(await api.get(recordingPath(someId())), 404);
  });

  it('rejects a malformed recording_id with 400', async () => {
    const { path } = await callWithRecording();
    for (const query of ['x', '', '1', `${someId()}&recording_id=${someId()}`, '%00']) {
      expectFailure(await agent.api.get(`${path}?recording_id=${query}`), 400);
    }
  });

  it('rejects a request without a token with 401', async () => {
    const { path, recording } = await callWithRecording();
    expectFailure(await test.api.get(path), 401);
    expectFailure(await test.api.get(recording.url), 401);
  });

  it('answers 404 when the storage has lost the object, and accepts the next upload', async () => {
    const { callId, path } = await callWithRecording();
    const [{ storage_key }] = (await recordingRows(test, callId)) as [Json];
    rmSync(join(storage.path, storage_key));
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('etag')).toBeNull();
    expect(JSON.parse(answer.content.toString()).errors.code).toBe('not_found');
    test.clock.advance(1);
    await createRecording(test, callId, agent);
    expect((await get(path)).status).toBe(200);
  });
});

/** Counts the open descriptors of the object's file. The service runs in this process. */
const countOpenFiles = (key: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(key);
    } catch {
      return false;
    }
  }).length;

describe('a player that disconnects', () => {
  it('during a download releases the file every time', async () => {
    const callId = await newCall();
    // Larger than the socket buffers, so that the file stays open while the player does not read.
    await createRecording(
      test,
      callId,
      agent,
      Buffer.concat([readFixture('call.webm'), randomBytes(24 * 1024 * 1024)]),
    );
    const [{ storage_key }] = (await recordingRows(test, callId)) as [Json];
    for (let round = 0; round < 5; round++) {
      const request = httpRequest(test.url + recordingPath(callId), {
        headers: { authorization: `Bearer ${agent.token}`, range: 'bytes=0-' },
      });
      const response = await new Promise<IncomingMessage>((resolve) => request.on('response', resolve).end());
      expect(response.statusCode).toBe(206);
      response.once('data', () => response.pause());
      await until(() => countOpenFiles(storage_key) === 1);
      request.on('error', () => {});
      request.destroy();
      await until(() => countOpenFiles(storage_key) === 0);
    }
    expectStatus(await agent.api.get(`/api/v1/calls/${callId}`), 200);
  });
});
