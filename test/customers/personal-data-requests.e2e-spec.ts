import { createPublicKey } from 'node:crypto';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { ErasureFollowUp } from '../../src/customers/erasures/erasure-follow-up';
import type { Receipt } from '../../src/customers/erasures/receipt-jws';
import { isSignedBy, readReceipt } from '../../src/customers/erasures/receipt-jws';
import { ReceiptKeys } from '../../src/customers/erasures/receipt-keys';
import { ErasureJournal } from '../../src/customers/erasures/erasure-journal';
import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import type { Answer, Api, Json } from '../support/http/api';
import { book, freeSlot } from '../support/contexts/appointments';
import { actionsOf, auditedBy } from '../support/contexts/audit-rows';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { waitForLockWaiters } from '../support/database/lock-waiters';
import { type Part, upload } from '../support/http/multipart';
import { candidate, recordOffer } from '../support/contexts/recorded-offers';
import { newRecording, createRecording, uploadRecording } from '../support/contexts/recordings';
import { insertTranscriptResults, waitForTranscripts } from '../support/database/transcript-results';
import { callRow } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { tablesContainingAny } from '../support/database/tables-containing-any';
import { CONTENT_HEADERS, recordingOf, TusClient } from '../support/contexts/tus';

const PATH = '/api/v1/customers';
const PERSON = {
  name: 'Zuleide Quaresma',
  email: 'zuleide@quaresma.example',
  phone: '+55 11 97777-6543',
  document: '390.533.447-05',
};
const base64 = (text: string) => Buffer.from(text).toString('base64');

const FILE: Part = ['file', Buffer.from('x')];

/** All forms in which the person's data may be stored. */
const TRACES = [
  'zuleide',
  'quaresma',
  PERSON.phone,
  '5511977776543',
  PERSON.document,
  '39053344705',
  base64(`${PERSON.name}.webm`),
];

/** Between the export and the assertion, on a busy machine. */
const MAX_EXPORT_AGE_MS = 60_000;

let test: TestApp;
let tenant: TestTenant;
let owner: Api;
let department: Json;
const folder = new StorageFolder();

beforeAll(async () => {
  test = await startTestApp({ env: folder.env });
  // The tests decide when what was erased is removed from the storage.
  await test.get(PgBoss).unschedule('sweep-stored-objects');
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
  department = await tenant.department({ max_queue_size: 1000, max_wait_time: 36_000 });
});

afterAll(async () => {
  await test.close();
  folder.remove();
});

const DEVICE_REPORT = { camera: 'ok', microphone: 'ok', network: 'good', relay: true };

const erase = (id: string): Promise<Answer> => owner.post(`${PATH}/${id}/erase`);

async function erasureOf(id: string): Promise<Json> {
  const answer = await owner.get(`/api/v1/erasures/${id}`);
  expectStatus(answer, 200);
  return answer.body.data;
}

/** Verifies a receipt with the public key of the installation. @returns what it says */
async function verifiedReceipt(jws: string): Promise<Receipt | undefined> {
  const read = readReceipt(jws);
  const key = await test.get(ReceiptKeys).find(read?.key_id ?? '');
  expect(key && isSignedBy(jws, createPublicKey(key))).toBe(true);
  return read?.receipt;
}

async function journalledReceipts(): Promise<(string | null)[]> {
  const receipts: (string | null)[] = [];
  for await (const { receipt } of test.get(ErasureJournal).entries()) receipts.push(receipt);
  return receipts;
}

async function usedBytes(): Promise<number> {
  const { rows } = await test.db.query('SELECT recording_bytes FROM storage_usage WHERE tenant_id = $1', [
    tenant.id,
  ]);
  return Number(rows[0].recording_bytes);
}

interface CustomerRecords {
  customer: Json;
  callId: string;
  otherCallId: string;
  link: Json;
  fileId: string;
  recordingId: string;
  upload: string;
}

/** Creates a customer with every kind of personal data that the service can store. */
async function createCustomerRecords(person: Json = PERSON): Promise<CustomerRecords> {
  const { link, customer, callId } = await createRatedCall(person);
  const { token } = tenant.owner;
  const file = await upload(
    test,
    `/api/v1/calls/${callId}/upload`,
    [['file', Buffer.from('x'), `${person.name}.pdf`]],
    { token },
  );
  expectStatus(file, 201);
  const { id: recordingId } = await createRecording(test, callId, tenant.owner);
  await waitForTranscripts(test.db, tenant.id);
  await insertTranscriptResults(test.db, callId, 'ready');
  await test.db.query(`UPDATE transcripts SET transcript = $2 WHERE call_id = $1`, [
    callId,
    `A: ${person.name}?`,
  ]);
  await test.db.query(`UPDATE summaries SET summary = $2 WHERE call_id = $1`, [
    callId,
    `${person.name} greeted.`,
  ]);
  const metadata = { 'upload-metadata': `filename ${base64(`${person.name}.webm`)}` };
  const tus = new TusClient(test.url, token);
  const location = await tus.begin(callId, 1000, { headers: metadata });
  expectStatus(await tus.patch(location, 0, recordingOf(500)), 204);
  await test.db.query(
    `WITH messages AS (
       INSERT INTO chat_messages (tenant_id, call_id, number, user_id, text, sent_at)
       SELECT $1, $2, n, CASE n WHEN 2 THEN $3::uuid END, $4, now() FROM generate_series(1, 2) AS n)
     UPDATE calls SET chat_message_count = 2, device_report = $5 WHERE id = $2`,
    [tenant.id, callId, tenant.owner.id, `${person.name} here`, DEVICE_REPORT],
  );
  // A second call of the customer, which was not answered.
  const { call_id: otherCallId } = await tenant.join(link, { name: person.name });
  expectStatus(await owner.post(`/api/v1/calls/${otherCallId}/complete`), 200);
  await book(tenant, { ...freeSlot(test), customer_id: customer.id, title: `For ${person.name}` });
  const offer = { tenant_id: tenant.id, call_id: callId, user_id: tenant.owner.id };
  const candidates = [candidate(tenant.owner.id)];
  await recordOffer(test, { ...offer, reason: `${person.name} shouts` }, 'declined', { candidates });
  const note = `${person.name} has lost her card`;
  await recordOffer(test, { ...offer, kind: 'transfer', note, reason: 'call_ended' }, 'withdrawn');
  return { customer, callId, otherCallId, link, fileId: file.body.data.id, recordingId, upload: location };
}

/** Creates a call from the join to the rating, and the customer and link that belong to it. */
async function createRatedCall(person: Json): Promise<{ link: Json; customer: Json; callId: string }> {
  const openLink = await tenant.link(department.id);
  const { name, email, phone } = person;
  // The wait and the duration are exact only if requests take no time.
  test.clock.stop();
  const joined = await test.api.post(
    `/api/v1/call/${openLink.token}/join`,
    { name, email, phone, reason: `${name} has lost her card` },
    { headers: { 'idempotency-key': `join of ${email}` } },
  );
  expectStatus(joined, 200);
  const callId = joined.body.data.call_id;
  test.clock.advance(7);
  expectStatus(await owner.post(`/api/v1/calls/${callId}/start`), 200);
  test.clock.advance(30);
  expectStatus(await owner.post(`/api/v1/calls/${callId}/complete`, { notes: `Told ${name} all` }), 200);
  test.clock.resume();
  expectStatus(await owner.post(`/api/v1/calls/${callId}/manager-notes`, { notes: `${name} is kind` }), 200);
  const rating = { rating: 4, comment: `Thanks, ${name}` };
  expectStatus(await test.api.post(`/api/v1/call/evaluate/${callId}`, rating), 200);
  const id = (await callRow(test, callId)).customer_id;
  const profile = { document: person.document, notes: `Say ${name}`, metadata: { nickname: name } };
  const answer = await owner.put(`${PATH}/${id}`, profile);
  expectStatus(answer, 200);
  const link = await tenant.link(department.id, { customer_id: id, label: `For ${name}` });
  return { link, customer: answer.body.data, callId };
}

describe('the export of a customer', () => {
  let records: CustomerRecords;
  let data: Json;

  beforeAll(async () => {
    await createCustomerRecords({ name: 'Some Other', email: 'other@example.com', phone: '7' });
    records = await createCustomerRecords({
      name: 'Ines Torres',
      email: 'ines@torres.example',
      phone: '8',
      document: '9',
    });
    const answer = await owner.get(`${PATH}/${records.customer.id}/export`);
    expectStatus(answer, 200);
    ({ data } = answer.body);
  });

  it('contains the customer and the time of the export', async () => {
    const customer = (await owner.get(`${PATH}/${records.customer.id}`)).body.data;
    expect(data.customer).toEqual(customer);
    const age = test.clock.now().getTime() - Date.parse(data.exported_at);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(MAX_EXPORT_AGE_MS);
  });

  it('contains their calls with notes, ratings and tags', () => {
    expect(data.calls.map(({ id }: Json) => id)).toEqual([records.callId, records.otherCallId]);
    expect(data.calls[0]).toMatchObject({
      status: 'completed',
      department_name: department.name,
      customer_name: 'Ines Torres',
      customer_email: 'ines@torres.example',
      customer_phone: '8',
      reason: 'Ines Torres has lost her card',
      notes: 'Told Ines Torres all',
      manager_notes: expect.stringContaining('Ines Torres is kind'),
      rating: 4,
      rating_comment: 'Thanks, Ines Torres',
      wait_time: 7,
      duration: 30,
      started_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      tags: [],
    });
  });

  it('contains their links, files, recordings with transcripts, uploads and appointments', () => {
    expect(data.access_links).toMatchObject([
      { id: records.link.id, label: 'For Ines Torres', use_count: 1 },
    ]);
    expect(data.call_files).toMatchObject([
      {
        id: records.fileId,
        call_id: records.callId,
        filename: 'Ines Torres.pdf',
        size: 1,
        url: expect.any(String),
      },
    ]);
    expect(data.recordings).toMatchObject([
      {
        id: records.recordingId,
        call_id: records.callId,
        content_type: 'video/webm',
        transcript: 'A: Ines Torres?',
        language: 'en',
        summary: 'Ines Torres greeted.',
      },
    ]);
    expect(data.recording_uploads).toMatchObject([{ call_id: records.callId, received: 500, length: 1000 }]);
    expect(data.appointments).toMatchObject([{ title: 'For Ines Torres' }]);
  });

  it('contains the offers and the timeline of their calls, with what staff wrote but without data of candidates', () => {
    const ofCall = { call_id: records.callId, user_id: tenant.owner.id };
    expect(data.offers).toMatchObject([
      { ...ofCall, kind: 'line', status: 'declined', reason: 'Ines Torres shouts' },
      { ...ofCall, kind: 'transfer', status: 'withdrawn', note: 'Ines Torres has lost her card' },
    ]);
    const entries: Json[] = data.call_timeline.filter(({ call_id }: Json) => call_id === records.callId);
    expect(entries.map(({ type }) => type)).toEqual([
      'joined',
      'assigned',
      'started',
      'completed',
      'rated',
      'offered',
      'declined',
      'offered',
      'withdrawn',
    ]);
    expect(entries.slice(5)).toMatchObject([
      { details: { kind: 'line' } },
      { details: { reason: 'Ines Torres shouts' } },
      { details: { note: 'Ines Torres has lost her card' } },
      { details: { reason: 'call_ended' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('candidates');
  });

  it('contains the chats of their calls, of both sides', () => {
    expect(data.chat_messages).toEqual(
      ['customer', 'agent'].map((from) => ({
        call_id: records.callId,
        id: expect.any(String),
        from,
        text: 'Ines Torres here',
        at: expect.any(String),
        file: null,
      })),
    );
    expect(data.calls[0]).toMatchObject({
      chat_message_count: 2,
      device_report: DEVICE_REPORT,
      client_address: '127.0.0.1',
    });
  });

  it('has a signed receipt with the number of records of each kind', async () => {
    expect(await verifiedReceipt(data.receipt)).toEqual({
      receipt_id: expect.any(String),
      kind: 'customer_export',
      installation_id: expect.any(String),
      tenant_id: tenant.id,
      subject_ids: [records.customer.id],
      requested_by: tenant.owner.id,
      requested_at: data.exported_at,
      tables: {
        customers: 1,
        ...Object.fromEntries(
          Object.entries(data).flatMap(([name, rows]) => (Array.isArray(rows) ? [[name, rows.length]] : [])),
        ),
      },
    });
  });

  it('covers every table that contains their data', async () => {
    const tables = await tablesContainingAny(test, [
      'ines torres',
      'ines@torres.example',
      base64('Ines Torres.webm'),
    ]);
    expect(tables).toEqual([
      'access_links',
      'appointments',
      'call_files',
      'call_timeline',
      'call_words',
      'calls',
      'chat_messages',
      'customer_words',
      'customers',
      'idempotency_keys',
      'offers',
      'recording_uploads',
      'summaries',
      'transcripts',
    ]);
  });

  it('contains no data of other customers', () => {
    expect(JSON.stringify(data)).not.toMatch(/some other|other@example|storage_key|token/i);
  });

  it('contains empty lists for a customer without calls', async () => {
    const { id } = (await owner.post(PATH, { name: 'New' })).body.data;
    expect((await owner.get(`${PATH}/${id}/export`)).body.data).toMatchObject({
      customer: { id, name: 'New' },
      calls: [],
      call_timeline: [],
      chat_messages: [],
      offers: [],
      access_links: [],
      call_files: [],
      recordings: [],
      recording_uploads: [],
      appointments: [],
    });
  });
});

describe('the erasure of a customer', () => {
  it('removes all personal data and keeps the figures of the calls', async () => {
    const records = await createCustomerRecords();
    const otherCustomer = await createRatedCall({
      name: 'By Stander',
      email: 'by@stander.example',
      phone: '1',
    });
    const otherBefore = [
      await callRow(test, otherCustomer.callId),
      (await owner.get(`${PATH}/${otherCustomer.customer.id}`)).body,
    ];
    expect(await tablesContainingAny(test, TRACES)).toEqual(
      expect.arrayContaining(['call_words', 'calls', 'customer_words', 'recording_uploads', 'transcripts']),
    );
    const before = await callRow(test, records.callId);
    await test.get(StoredObjectsService).sweep();
    const filesBefore = folder.files().length;
    const usedBefore = await usedBytes();

    const answer = await erase(records.customer.id);

    expectStatus(answer, 200);
    expect(answer.body.data).toEqual({
      customer_id: records.customer.id,
      erased_at: expect.stringMatching(/Z$/),
      erased_by: tenant.owner.id,
      erased: {
        customers: 1,
        access_links: 1,
        calls: 2,
        call_timeline: 2,
        offers: 2,
        callbacks: 0,
        callback_mails: 0,
        chat_messages: 2,
        call_files: 1,
        recordings: 1,
        recording_uploads: 1,
        webhook_deliveries: 0,
        appointments: 1,
      },
      erasure_id: expect.any(String),
      state: 'pending',
      receipt: null,
    });
    expect(await tablesContainingAny(test, TRACES)).toEqual([]);
    expect(await callRow(test, records.callId)).toEqual({
      ...before,
      customer_id: null,
      customer_name: '-',
      customer_email: null,
      customer_phone: null,
      reason: null,
      notes: null,
      manager_notes: null,
      rating_comment: null,
      device_report: null,
      client_address: null,
      has_recording: false,
      erased_at: expect.any(Date),
      updated_at: expect.any(Date),
      version: before.version + 2,
    });
    const shown = (await owner.get(`/api/v1/calls/${records.callId}`)).body.data;
    expect(shown).toMatchObject({
      customer_name: '-',
      rating: 4,
      duration: 30,
      wait_time: 7,
      recording_url: null,
    });
    for (const path of ['recording', 'transcript', 'summary']) {
      expectFailure(await owner.get(`/api/v1/calls/${records.callId}/${path}`), 404);
    }
    // When what happened stays, and the fixed words.
    const timeline = (await owner.get(`/api/v1/calls/${records.callId}/timeline`)).body.data;
    expect(timeline.slice(5)).toMatchObject([
      { type: 'offered', candidates: [{ user_id: tenant.owner.id }] },
      { type: 'declined', reason: null },
      { type: 'offered', note: null },
      { type: 'withdrawn', reason: 'call_ended' },
    ]);
    const { rows: offers } = await test.db.query(
      'SELECT status, reason, note FROM offers WHERE call_id = $1 ORDER BY offered_at',
      [records.callId],
    );
    expect(offers).toEqual([
      { status: 'declined', reason: null, note: null },
      { status: 'withdrawn', reason: 'call_ended', note: null },
    ]);
    expect((await owner.get(`/api/v1/calls/${records.callId}/files`)).body.data).toEqual([]);
    expect(await new TusClient(test.url, tenant.owner.token).offset(records.upload)).toBe(-1);
    const { erasure_id, erased_at, erased } = answer.body.data;
    await test.get(ErasureFollowUp).run();
    expect(await erasureOf(erasure_id)).toMatchObject({
      state: 'pending',
      remaining_objects: 3,
      receipt: null,
    });
    // The file, the recording and the part of the resumable upload.
    await test.get(StoredObjectsService).sweep();
    expect(filesBefore - folder.files().length).toBe(3);
    await test.get(ErasureFollowUp).run();
    const complete = await erasureOf(erasure_id);
    expect(complete).toMatchObject({
      customer_id: records.customer.id,
      erased_at,
      state: 'complete',
      remaining_objects: 0,
    });
    expect(await verifiedReceipt(complete.receipt)).toMatchObject({
      receipt_id: erasure_id,
      kind: 'customer_erasure',
      tenant_id: tenant.id,
      subject_ids: [records.customer.id],
      requested_by: tenant.owner.id,
      requested_at: erased_at,
      // Rows that were deleted with others, too.
      tables: { ...erased, transcripts: 1, summaries: 1, idempotency_keys: 1, recording_upload_parts: 1 },
      storage_objects: { count: 3, bytes: 1 + newRecording().length + 500 },
    });
    expect(await journalledReceipts()).toContain(complete.receipt);
    expect(usedBefore - (await usedBytes())).toBe(newRecording().length);

    expect(await callRow(test, otherCustomer.callId)).toEqual(otherBefore[0]);
    expect((await owner.get(`${PATH}/${otherCustomer.customer.id}`)).body).toEqual(otherBefore[1]);
  });

  it('happens once, cancels the links and is audited without personal data', async () => {
    const { customer, link } = await createRatedCall(PERSON);
    const answer = await erase(customer.id);
    expectStatus(answer, 200);
    // Without files the receipt is complete at once.
    const { erasure_id, state, receipt } = answer.body.data;
    expect(state).toBe('complete');
    expect(await verifiedReceipt(receipt)).toMatchObject({ storage_objects: { count: 0, bytes: 0 } });
    expect(await erasureOf(erasure_id)).toMatchObject({ state, receipt });
    expect(Buffer.from(receipt.split('.')[1], 'base64url').toString()).not.toMatch(/zuleide|quaresma/i);
    expectFailure(await erase(customer.id), 404);
    expectFailure(await owner.get(`${PATH}/${customer.id}`), 404);
    expectFailure(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'X' }), 404);
    const entries = await auditedBy(test, answer);
    expect(actionsOf(entries)).toEqual(['access_link.cancelled', 'call.updated', 'customer.deleted']);
    expect(entries[2]).toMatchObject({ subject_id: customer.id, details: { erased: true } });
    expect(await tablesContainingAny(test, TRACES)).toEqual([]);
  });

  it('is sent to connected staff', async () => {
    const { customer, callId } = await createRatedCall(PERSON);
    const socket = await TestSocket.connect(test.url, tenant.owner.token);
    expectStatus(await erase(customer.id), 200);
    const update = await socket.waitFor('call_updated', ({ id, call }: Json) => (id ?? call?.id) === callId);
    expect(JSON.stringify(update)).toContain('"customer_name":"-"');
    socket.close();
  });

  it('changes nothing when it fails midway', async () => {
    const { customer, callId } = await createCustomerRecords(PERSON);
    const before = [await tablesContainingAny(test, TRACES), await callRow(test, callId)];
    await test.db.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'out of order'; END $$;
       CREATE TRIGGER fail BEFORE DELETE ON customers FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    try {
      expectFailure(await erase(customer.id), 500);
    } finally {
      await test.db.query('DROP FUNCTION fail CASCADE');
    }
    expect([await tablesContainingAny(test, TRACES), await callRow(test, callId)]).toEqual(before);
    await test.get(StoredObjectsService).sweep();
    expectStatus(await owner.get(`/api/v1/calls/${callId}/recording`), 200);
    expectStatus(await erase(customer.id), 200);
  });

  it.each([
    ['the customer', true],
    ['the company', false],
  ])(
    'waits for a legal hold on %s that is being added, and is refused by it',
    async (_what, isOfCustomer) => {
      const { customer } = await createRatedCall(PERSON);
      await test.db.query('BEGIN');
      await test.db.query('SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE', [tenant.id]);
      await test.db.query(
        `INSERT INTO legal_holds (tenant_id, customer_id, reason, inserted_at) VALUES ($1, $2, 'A lawsuit', now())`,
        [tenant.id, isOfCustomer ? customer.id : null],
      );
      const answer = erase(customer.id);
      await waitForLockWaiters(test);
      await test.db.query('COMMIT');
      expectFailure(await answer, 422, { code: 'legal_hold' });
      expectStatus(await owner.get(`${PATH}/${customer.id}`), 200);
      await test.db.query('DELETE FROM legal_holds WHERE tenant_id = $1', [tenant.id]);
      expectStatus(await erase(customer.id), 200);
    },
  );

  it('of a merged customer includes the calls of all duplicates', async () => {
    const [primary, duplicate] = [
      await createRatedCall(PERSON),
      await createRatedCall({ ...PERSON, email: 'z@quaresma.example', phone: '6543' }),
    ];
    const ids = { primary_id: primary.customer.id, duplicate_ids: [duplicate.customer.id] };
    expectStatus(await owner.post(`${PATH}/merge`, ids), 200);
    const answer = await erase(primary.customer.id);
    expect(answer.body.data.erased).toMatchObject({ customers: 1, calls: 2, access_links: 2 });
    expect(await tablesContainingAny(test, TRACES)).toEqual([]);
  });
});

describe('an erased call', () => {
  let callId: string;
  let staff: Member;

  beforeAll(async () => {
    staff = tenant.owner;
    const openLink = await tenant.link(department.id);
    callId = (await tenant.join(openLink, PERSON)).call_id;
    expectStatus(await owner.post(`/api/v1/calls/${callId}/complete`), 200);
    expectStatus(await erase((await callRow(test, callId)).customer_id), 200);
  });

  it.each<[string, () => Promise<Answer>]>([
    ['recording', () => uploadRecording(test, callId, staff)],
    ['file', () => upload(test, `/api/v1/calls/${callId}/upload`, [FILE], { token: staff.token })],
    ['resumable upload', () => new TusClient(test.url, staff.token).create(callId, 1000)],
    ['manager’s note', () => owner.post(`/api/v1/calls/${callId}/manager-notes`, { notes: 'x' })],
    ['rating', () => test.api.post(`/api/v1/call/evaluate/${callId}`, { rating: 5, comment: 'x' })],
  ])('rejects a new %s', async (_what, add) => {
    const before = await callRow(test, callId);
    expectFailure(await add(), 422, { code: 'call_erased' });
    expect(await callRow(test, callId)).toEqual(before);
  });

  it('leaves nothing of uploads that were in progress during the erasure', async () => {
    const { customer, callId: id } = await createRatedCall(PERSON);
    const tus = new TusClient(test.url, staff.token);
    const content = recordingOf(1000);
    const location = await tus.begin(id, content.length);
    await test.get(StoredObjectsService).sweep();
    const files = folder.files();
    const answers: Promise<Answer>[] = [];
    // Another connection locks the call: the erasure is first in line, then the uploads.
    const holder = new Client({ connectionString: test.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM calls WHERE id = $1 FOR UPDATE', [id]);
      for (const step of [
        () => erase(customer.id),
        () => uploadRecording(test, id, staff, newRecording()),
        () => upload(test, `/api/v1/calls/${id}/upload`, [FILE], { token: staff.token }),
        () => tus.create(id, 1000),
      ]) {
        answers.push(step());
        await waitForLockWaiters(test, answers.length);
      }
      // A company gets no more connections at once: this one waits for one.
      answers.push(tus.patch(location, 0, content, CONTENT_HEADERS));
    } finally {
      await holder.end();
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    // The erasure and the PATCH wait for each other. If PostgreSQL aborts the erasure, it is retried after the uploads.
    expect(statuses[0]).toBe(200);
    for (const status of statuses.slice(1, 4)) expect([201, 422]).toContain(status);
    expect([204, 404, 422]).toContain(statuses[4]);
    for (const table of ['recordings', 'call_files', 'recording_uploads']) {
      const { rows } = await test.db.query(`SELECT FROM ${table} WHERE call_id = $1`, [id]);
      expect([table, rows]).toEqual([table, []]);
    }
    await test.get(StoredObjectsService).sweep();
    expect(folder.files()).toEqual(files);
  });
});
