import { documentedFetch } from '../support/http/documented-fetch';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import type { Answer, Json } from '../support/http/api';
import { actionsOf, auditedAbout, auditedBy } from '../support/contexts/audit-rows';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { raceRounds } from '../support/race-rounds';
import { expectFailure } from '../support/database/failures';
import { type Part, upload } from '../support/http/multipart';
import {
  readFixture,
  newRecording,
  createRecording,
  recordingRows,
  uploadRecording,
} from '../support/contexts/recordings';
import { callRow, eventsOf } from '../support/database/rows';
import { closingSockets } from '../support/sockets/connect-sockets';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let manager: Member;
let link: Json;
const storage = new StorageFolder();
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await startTestApp({
    env: { ...storage.env, QUEUE_ABSENCE_SECONDS: '36000', MAX_RECORDING_MB: '1' },
  });
  tenant = await TestTenant.register(test);
  ({ link } = await tenant.queue({ max_queue_size: 1000, max_wait_time: 36_000 }));
  agent = await tenant.member('attendant');
  manager = await tenant.member('manager');
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

const newCall = async (): Promise<string> => (await tenant.join(link)).call_id;
const callDetails = async (id: string): Promise<Json> =>
  (await agent.api.get(`/api/v1/calls/${id}`)).body.data;
const listRecordings = async (id: string): Promise<Json[]> => {
  const answer = await agent.api.get(`/api/v1/calls/${id}/recordings`);
  expectStatus(answer, 200);
  return answer.body.data;
};
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const usedMegabytes = async ({ owner }: TestTenant): Promise<number> =>
  (await owner.api.get('/api/v1/billing/plan')).body.data.usage.recording_storage_mb;
const deleteRecording = (id: string, query = '', member = manager): Promise<Answer> =>
  member.api.delete(`/api/v1/calls/${id}/recording${query}`);
const uploadTo = (id: string, content: Buffer, member = agent) => uploadRecording(test, id, member, content);

const uploadPart = (callId: string, part: Part) =>
  upload(test, `/api/v1/calls/${callId}/recording/upload`, [part], { token: agent.token });

/** Expects that a rejected upload left neither a row nor an object. */
async function expectNothing(callId: string, before: string[]): Promise<void> {
  expect(await recordingRows(test, callId)).toEqual([]);
  expect(await callDetails(callId)).toMatchObject({ has_recording: false, recording_url: null });
  await until(
    () => storage.files().join() === before.join(),
    () =>
      `left behind: ${storage
        .files()
        .filter((file) => !before.includes(file))
        .join(', ')}`,
  );
}

describe('uploading a recording', () => {
  it.each([
    ['call.webm', 'video/webm', 2],
    ['call-audio.webm', 'audio/webm', 2],
    ['call.mp4', 'video/mp4', 1],
  ] as const)(
    '%s is stored unchanged, and the response describes it',
    async (name, content_type, duration) => {
      const callId = await newCall();
      const content = readFixture(name);
      const answer = await uploadTo(callId, content);
      expectStatus(answer, 201);
      const { id, inserted_at } = answer.body.data;
      expect(answer.body.data).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        call_id: callId,
        content_type,
        size: content.length,
        duration,
        sha256: sha256(content),
        url: `/api/v1/calls/${callId}/recording?recording_id=${id}`,
        inserted_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      });
      expect(Math.abs(Date.parse(inserted_at) - test.clock.now().getTime())).toBeLessThan(20_000);
      const [row] = await recordingRows(test, callId);
      expect(row).toMatchObject({ id, tenant_id: tenant.id, uploaded_by: agent.id });
      expect(row.department_id).toBe((await callRow(test, callId)).department_id);
      expect(row.storage_key).toMatch(new RegExp(`^${tenant.id}/recordings/`));
      expect(readFileSync(join(storage.path, row.storage_key))).toEqual(content);
    },
  );

  it('updates the call, notifies staff, records domain events and is audited', async () => {
    const callId = await newCall();
    const before = await callDetails(callId);
    expect(before).toMatchObject({ has_recording: false, recording_url: null });
    const socket = await connect(manager.token);
    const answer = await uploadTo(callId, newRecording());
    const { id } = answer.body.data;
    expect(await callDetails(callId)).toEqual({
      ...before,
      has_recording: true,
      recording_url: `/api/v1/calls/${callId}/recording`,
    });
    const update = await socket.waitFor('call_updated', ({ call_id }) => call_id === callId);
    expect(update).toMatchObject({ has_recording: true });
    expect(await eventsOf(test, callId)).toEqual(['call.queued', 'call.updated']);
    expect(await eventsOf(test, id)).toEqual(['recording.ready']);
    const rows = await auditedBy(test, answer);
    expect(actionsOf(rows)).toEqual(['call.updated', 'recording.ready']);
    expect(rows.at(-1)).toMatchObject({
      user_id: agent.id,
      subject_type: 'recording',
      subject_id: id,
      details: { call_id: callId },
    });
  });

  it('with the same content again returns the existing recording and leaves no second object', async () => {
    const callId = await newCall();
    const content = newRecording();
    const first = await uploadTo(callId, content);
    const version = (await callRow(test, callId)).version;
    const files = storage.files();
    const again = await uploadTo(callId, content);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await recordingRows(test, callId)).toHaveLength(1);
    expect((await callRow(test, callId)).version).toBe(version);
    expect(storage.files()).toEqual(files);
    expect(await auditedBy(test, again)).toEqual([]);
  });

  it('with the same content in parallel adds one recording', async () => {
    const callId = await newCall();
    const content = newRecording();
    const files = storage.files().length;
    const answers = await Promise.all(Array.from({ length: 6 }, () => uploadTo(callId, content)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await recordingRows(test, callId)).toHaveLength(1);
    expect(storage.files()).toHaveLength(files + 1);
  });

  it('stores the same content separately for each call', async () => {
    const content = newRecording();
    const [one, other] = [await newCall(), await newCall()];
    const [first, second] = [
      await createRecording(test, one, agent, content),
      await createRecording(test, other, agent, content),
    ];
    expect(first.id).not.toBe(second.id);
    expectStatus(await deleteRecording(one), 204);
    await test.get(StoredObjectsService).sweep();
    expect((await agent.api.get(second.url)).status).toBe(200);
  });

  it('adds to the earlier recordings, which are listed newest first', async () => {
    const callId = await newCall();
    const contents = [newRecording(), newRecording(), newRecording()];
    const ids = [];
    for (const content of contents) {
      test.clock.advance(1);
      ids.push((await createRecording(test, callId, agent, content)).id);
    }
    const all = await listRecordings(callId);
    expect(all.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(all.map(({ sha256: hash }) => hash)).toEqual(contents.toReversed().map(sha256));
    for (const { url, sha256: hash } of all) {
      const content = await documentedFetch(test.url + url, {
        headers: { authorization: `Bearer ${agent.token}` },
      });
      expect(sha256(Buffer.from(await content.arrayBuffer()))).toBe(hash);
    }
  });

  it('works in every state of the call', async () => {
    const callId = await newCall();
    await createRecording(test, callId, agent);
    for (const step of ['start', 'complete']) {
      expectStatus(await agent.api.post(`/api/v1/calls/${callId}/${step}`), 200);
      await createRecording(test, callId, agent);
    }
    expect(await listRecordings(callId)).toHaveLength(3);
  });

  it('ignores the file name and the content type that the client declares', async () => {
    const callId = await newCall();
    const path = `/api/v1/calls/${callId}/recording/upload`;
    const named = [['file', newRecording(), '../../page.html', 'text/html']] as const;
    const answer = await upload(
      test,
      path,
      named.map(([...part]) => part),
      { token: agent.token },
    );
    expectStatus(answer, 201);
    expect(answer.body.data.content_type).toBe('video/webm');
  });
});

describe('uploading a recording as other clients do', () => {
  it('works in the field recording', async () => {
    const callId = await newCall();
    const content = newRecording();
    const answer = await uploadPart(callId, ['recording', content, 'call.webm', 'video/webm']);
    expectStatus(answer, 201);
    expect(answer.body.data).toMatchObject({ content_type: 'video/webm', sha256: sha256(content) });
  });

  it.each([
    ['audio/webm', Buffer.from('not really audio'), 'audio/webm'],
    ['video/webm; codecs=vp8', Buffer.alloc(5000), 'video/webm'],
    ['video/webm', Buffer.from('<!doctype html><script>alert(1)</script>'), 'video/webm'],
    ['audio/x-mpegurl', Buffer.from('#EXTM3U\n#EXTINF:5,\nhttp://localhost/x.ts\n'), 'audio/x-mpegurl'],
  ])(
    'declared as %s is accepted without a signature, and sent as an attachment',
    async (type, content, expected) => {
      const callId = await newCall();
      const answer = await uploadPart(callId, ['file', content, 'call.webm', type]);
      expectStatus(answer, 201);
      expect(answer.body.data).toMatchObject({
        content_type: expected,
        duration: null,
        sha256: sha256(content),
      });
      const [row] = await recordingRows(test, callId);
      expect(row).toMatchObject({ content_type: expected, duration: null, inspection_pending: false });
      const ticket = await agent.api.post(`/api/v1/calls/${callId}/recording/ticket`);
      for (const url of [answer.body.data.url, ticket.body.data.url]) {
        const { status, headers } = await documentedFetch(test.url + url, {
          headers: { authorization: `Bearer ${agent.token}` },
        });
        expect([status, headers.get('content-type')]).toEqual([200, expected]);
        expect(headers.get('content-disposition')).toMatch(/^attachment; filename="?recording-/);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
    },
  );

  it.each([
    ['video/webm', '%PDF-1.7\n1 0 obj'],
    ['audio/ogg', '<?xml version="1.0"?><svg/>'],
    ['application/pdf', 'no signature'],
    ['text/html', 'no signature'],
  ])('declared as %s is rejected with 422 on the field: %s', async (type, content) => {
    const callId = await newCall();
    const before = storage.files();
    const answer = await uploadPart(callId, ['recording', Buffer.from(content), 'call.webm', type]);
    expectFailure(answer, 422, { code: 'validation_failed', field: 'recording' });
    await expectNothing(callId, before);
  });
});

describe('uploading an invalid recording', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['text', Buffer.from('Hello')],
    ['an HTML page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:5,\nhttp://localhost/x.ts\n')],
    ['a picture', png],
    ['zeros', Buffer.alloc(100_000)],
    ['a recording after other bytes', Buffer.concat([Buffer.alloc(64), readFixture('call.webm')])],
  ])('rejects %s with 422 on the field and stores nothing', async (_what, content) => {
    const callId = await newCall();
    const before = storage.files();
    expectFailure(await uploadTo(callId, content), 422, { code: 'validation_failed', field: 'file' });
    await expectNothing(callId, before);
  });

  it('rejects a body that is not a form with 415', async () => {
    const callId = await newCall();
    const answer = await agent.api.post(`/api/v1/calls/${callId}/recording/upload`, {});
    expectFailure(answer, 415);
  });

  it('rejects a file over MAX_RECORDING_MB with 413 and stores nothing', async () => {
    const callId = await newCall();
    const before = storage.files();
    const content = Buffer.concat([readFixture('call.webm'), Buffer.alloc(1024 * 1024)]);
    expectFailure(await uploadTo(callId, content), 413, { code: 'payload_too_large' });
    await expectNothing(callId, before);
  });

  it('is rejected after its first bytes, however many follow', async () => {
    const callId = await newCall();
    let sent = 0;
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const endlessBody = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(head)),
      pull: (controller) => {
        sent += 64 * 1024;
        if (sent > 512 * 1024 * 1024) controller.close();
        else controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    const response = await documentedFetch(`${test.url}/api/v1/calls/${callId}/recording/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: endlessBody,
      duplex: 'half',
    });
    expect(response.status).toBe(422);
    expect(sent).toBeLessThan(256 * 1024 * 1024);
  });
});

describe('permission to use recordings', () => {
  it('requires a plan for uploads only: existing recordings stay available after the plan ends', async () => {
    const otherTenant = await TestTenant.register(test, 'basic');
    const { call_id } = await otherTenant.join((await otherTenant.queue()).link);
    const recording = await createRecording(test, call_id, otherTenant.owner);
    await test.db.query(`UPDATE subscriptions SET status = 'cancelled' WHERE tenant_id = $1`, [
      otherTenant.id,
    ]);
    // No event announces this change.
    test.clock.advance(5);
    const refusal = { code: 'feature_not_in_plan' };
    expectFailure(await uploadRecording(test, call_id, otherTenant.owner), 403, refusal);
    expect((await otherTenant.owner.api.get(recording.url)).status).toBe(200);
    expectStatus(await otherTenant.owner.api.get(`/api/v1/calls/${call_id}/recordings`), 200);
    const ticket = await otherTenant.owner.api.post(`/api/v1/calls/${call_id}/recording/ticket`);
    expect((await test.api.get(ticket.body.data.url)).status).toBe(200);
    expectStatus(await otherTenant.owner.api.delete(`/api/v1/calls/${call_id}/recording`), 204);
  });

  it('is not granted to other tenants', async () => {
    const callId = await newCall();
    const { id } = await createRecording(test, callId, agent);
    const other = await TestTenant.register(test);
    const { call_id } = await other.join((await other.queue()).link);
    const { api } = other.owner;
    expectFailure(await uploadRecording(test, callId, other.owner), 404);
    expectFailure(await api.get(`/api/v1/calls/${callId}/recording`), 404);
    expectFailure(await api.get(`/api/v1/calls/${callId}/recordings`), 404);
    expectFailure(await api.delete(`/api/v1/calls/${callId}/recording`), 404);
    // Under a call of the other tenant.
    for (const path of [`recording?recording_id=${id}`]) {
      expectFailure(await api.get(`/api/v1/calls/${call_id}/${path}`), 404);
      expectFailure(await api.delete(`/api/v1/calls/${call_id}/${path}`), 404);
    }
    expectFailure(await api.post(`/api/v1/calls/${call_id}/recording/ticket?recording_id=${id}`), 404);
    expect(await listRecordings(callId)).toHaveLength(1);
  });

  it('is not granted to an attendant who may not see the call', async () => {
    const otherTenant = await TestTenant.register(test);
    const outsider = await otherTenant.member('attendant');
    const { call_id } = await otherTenant.join((await otherTenant.queue()).link);
    await createRecording(test, call_id, otherTenant.owner);
    expectStatus(await otherTenant.owner.api.put('/api/v1/tenant', { restrict_attendants: true }), 200);
    for (const path of ['recording', 'recordings']) {
      expectFailure(await outsider.api.get(`/api/v1/calls/${call_id}/${path}`), 404);
    }
    expectFailure(await outsider.api.post(`/api/v1/calls/${call_id}/recording/ticket`), 404);
    const before = storage.files();
    expectFailure(await uploadRecording(test, call_id, outsider), 404);
    expect(storage.files()).toEqual(before);
  });

  it('is granted for deletion to managers and above only', async () => {
    const callId = await newCall();
    await createRecording(test, callId, agent);
    const supervisor = await tenant.member('supervisor');
    for (const member of [agent, supervisor]) expectFailure(await deleteRecording(callId, '', member), 403);
    expect(await listRecordings(callId)).toHaveLength(1);
  });
});

describe('deleting a recording', () => {
  it('deletes the newest, or the one that recording_id names, and notifies staff', async () => {
    const callId = await newCall();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      test.clock.advance(1);
      ids.push((await createRecording(test, callId, agent)).id);
    }
    const [oldest, middle, newest] = ids;
    const socket = await connect(manager.token);

    const answer = await deleteRecording(callId);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect((await listRecordings(callId)).map(({ id }) => id)).toEqual([middle, oldest]);
    expect(actionsOf(await auditedBy(test, answer))).toEqual(['call.updated', 'recording.deleted']);
    expect(await eventsOf(test, newest ?? '')).toEqual(['recording.ready', 'recording.deleted']);

    expectStatus(await deleteRecording(callId, `?recording_id=${oldest}`), 204);
    expect((await listRecordings(callId)).map(({ id }) => id)).toEqual([middle]);
    expect(await callDetails(callId)).toMatchObject({ has_recording: true });

    const last = await deleteRecording(callId);
    expectStatus(last, 204);
    expect(await callDetails(callId)).toMatchObject({ has_recording: false, recording_url: null });
    const gone = ({ call_id, has_recording }: Json) => call_id === callId && !has_recording;
    expect(await socket.waitFor('call_updated', gone)).toMatchObject({ has_recording: false });
    expect(actionsOf(await auditedBy(test, last))).toEqual(['call.updated', 'recording.deleted']);
    expect(actionsOf(await auditedAbout(test, middle ?? ''))).toEqual([
      'recording.deleted',
      'recording.ready',
    ]);
  });

  it('leaves its content to the next storage sweep', async () => {
    const callId = await newCall();
    await createRecording(test, callId, agent);
    const [{ storage_key }] = (await recordingRows(test, callId)) as [Json];
    expect(storage.files()).toContain(storage_key);
    expectStatus(await deleteRecording(callId), 204);
    await test.get(StoredObjectsService).sweep();
    // The application's own sweep may be removing it.
    await until(() => !storage.files().includes(storage_key));
  });

  it('answers 404 for an unknown recording and 400 for a malformed id', async () => {
    const [callId, other] = [await newCall(), await newCall()];
    const { id } = await createRecording(test, other, agent);
    expectFailure(await deleteRecording(callId), 404, { code: 'not_found' });
    for (const unknown of [someId(), id]) {
      expectFailure(await deleteRecording(callId, `?recording_id=${unknown}`), 404);
    }
    expectFailure(await deleteRecording(other, '?recording_id=newest'), 400);
    expect(await listRecordings(other)).toHaveLength(1);
  });

  it('succeeds once when many delete it at once', async () => {
    const callId = await newCall();
    const { id } = await createRecording(test, callId, agent);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => deleteRecording(callId, `?recording_id=${id}`)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404]);
    expect(await callDetails(callId)).toMatchObject({ has_recording: false });
  });

  it('during an upload keeps has_recording true', async () => {
    for (let round = 0; round < raceRounds(4); round++) {
      const callId = await newCall();
      const { id } = await createRecording(test, callId, agent);
      const [gone] = await Promise.all([
        deleteRecording(callId, `?recording_id=${id}`),
        createRecording(test, callId, agent),
      ]);
      expectStatus(gone, 204);
      expect(await listRecordings(callId)).toHaveLength(1);
      expect(await callDetails(callId)).toMatchObject({ has_recording: true });
    }
  });
});

/** A recording of slightly more than 400 kB. */
const largeRecording = () => Buffer.concat([newRecording(), Buffer.alloc(400_000, 1)]);

describe('the storage usage in the plan', () => {
  it('grows and shrinks with recordings, also when many are added at once', async () => {
    const otherTenant = await TestTenant.register(test);
    const { call_id } = await otherTenant.join((await otherTenant.queue()).link);
    expect(await usedMegabytes(otherTenant)).toBe(0);
    const first = await createRecording(test, call_id, otherTenant.owner, largeRecording());
    expect(await usedMegabytes(otherTenant)).toBe(1);
    // Identical content adds nothing.
    await createRecording(test, call_id, otherTenant.owner, largeRecording());
    const more = await Promise.all(
      [1, 2, 3].map(() => createRecording(test, call_id, otherTenant.owner, largeRecording())),
    );
    expect(await usedMegabytes(otherTenant)).toBe(3);
    for (const { url } of [first, ...more]) expectStatus(await otherTenant.owner.api.delete(url), 204);
    expect(await usedMegabytes(otherTenant)).toBe(1);
    expectStatus(await otherTenant.owner.api.delete(`/api/v1/calls/${call_id}/recording`), 204);
    expect(await usedMegabytes(otherTenant)).toBe(0);
  });

  it('counts repeated content once', async () => {
    const otherTenant = await TestTenant.register(test);
    const { call_id } = await otherTenant.join((await otherTenant.queue()).link);
    const content = Buffer.concat([newRecording(), Buffer.alloc(900_000, 1)]);
    for (let times = 0; times < 3; times++) await createRecording(test, call_id, otherTenant.owner, content);
    expect(await usedMegabytes(otherTenant)).toBe(1);
  });
});
