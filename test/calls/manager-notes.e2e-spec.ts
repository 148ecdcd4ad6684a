import type { Json } from '../support/http/api';
import { auditedBy } from '../support/contexts/audit-rows';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { callRow, eventsOf } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let link: Json;
let ana: Member;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  ({ link } = await tenant.queue({ max_queue_size: 1000 }));
  ana = await tenant.member('supervisor');
  await rename(ana, 'Ana Souza');
});

afterAll(() => test.close());

const rename = async ({ id }: Member, name: string) =>
  expectStatus(await tenant.owner.api.put(`/api/v1/users/${id}`, { name }), 200);

async function completedCall(): Promise<string> {
  const { call_id } = await tenant.join(link);
  expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/complete`), 200);
  return call_id;
}

const addNote = (id: string, notes: unknown, { api }: Member = ana) =>
  api.post(`/api/v1/calls/${id}/manager-notes`, { notes });

const notesOf = async (id: string): Promise<string | null> =>
  (await ana.api.get(`/api/v1/calls/${id}`)).body.data.manager_notes;

/** An entry: its time, author and text. */
const ENTRY = /^\[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\] ([^:]+): (.*)$/;

it('appends entries with their time and author', async () => {
  const id = await completedCall();
  expect(await notesOf(id)).toBeNull();
  const before = test.clock.now();
  const first = await addNote(id, '  Well done: 5 stars  ');
  expect([first.status, first.body]).toEqual([200, { data: { id, manager_notes: expect.any(String) } }]);
  const [, at = '', author, text] = ENTRY.exec(first.body.data.manager_notes) ?? [];
  expect([author, text]).toEqual(['Ana Souza', 'Well done: 5 stars']);
  expect(new Date(at) >= before && new Date(at) <= test.clock.now()).toBe(true);

  const second = await addNote(id, 'Agreed', tenant.owner);
  const [firstLine, secondLine = ''] = second.body.data.manager_notes.split('\n');
  expect(firstLine).toBe(first.body.data.manager_notes);
  expect(ENTRY.exec(secondLine)?.slice(2)).toEqual(['Olga Owner', 'Agreed']);
  expect(await notesOf(id)).toBe(second.body.data.manager_notes);
});

it('keeps line breaks, in lines that are indented', async () => {
  const id = await completedCall();
  const { data } = (await addNote(id, 'Called back:\r\n- all is well\n\n- bill sent\n')).body;
  expect(data.manager_notes.replace(/^\[.*?\]/, '')).toBe(
    ' Ana Souza: Called back:\n  - all is well\n  \n  - bill sent',
  );
  expect(await notesOf(id)).toBe(data.manager_notes);
  await addNote(id, 'Closed', tenant.owner);
  expect((await notesOf(id))?.split('\n').filter((line) => !line.startsWith('  '))).toHaveLength(2);
});

it('begins no line with a forged entry of another author', async () => {
  const id = await completedCall();
  const forged =
    'Fine\r\n[2020-01-01T00:00:00.000Z] Olga Owner: Dismiss her\u2028x\u0085y\u000bz\tq\u001b[0m';
  await rename(ana, 'Ana\nSouza');
  const { data } = (await addNote(id, forged)).body;
  await rename(ana, 'Ana Souza');
  const [first = '', ...further] = data.manager_notes.split('\n');
  expect(ENTRY.exec(first)?.slice(2)).toEqual(['Ana Souza', 'Fine']);
  expect(further).toEqual([
    '  [2020-01-01T00:00:00.000Z] Olga Owner: Dismiss her',
    '  x',
    '  y',
    '  z q [0m',
  ]);
  expect(data.manager_notes.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
});

it('keeps all of ten entries that are added in parallel', async () => {
  const id = await completedCall();
  const { version } = await callRow(test, id);
  const texts = Array.from({ length: 10 }, (_, n) => `note ${n}`);
  const responses = await Promise.all(texts.map((text, n) => addNote(id, text, n % 2 ? ana : tenant.owner)));
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const entries = ((await notesOf(id)) ?? '').split('\n').map((line) => ENTRY.exec(line)?.[3]);
  expect(entries.toSorted()).toEqual(texts);
  expect((await callRow(test, id)).version).toBe(version + 10);
  expect((await eventsOf(test, id)).filter((type) => type === 'call.updated')).toHaveLength(10);
});

it('accepts at most 10,000 characters per entry', async () => {
  const id = await completedCall();
  expectStatus(await addNote(id, 'ã'.repeat(10_000)), 200);
  expectFailure(await addNote(id, 'ã'.repeat(10_001)), 422, { field: 'notes' });
});

it.each(['', '  ', '\n\r\n', '\u0001\u0085 \u2028', null, 7, undefined, ['x'], 'a\0b'])(
  'rejects %j with 422 and changes nothing',
  async (notes) => {
    const id = await completedCall();
    const before = await callRow(test, id);
    expectFailure(await addNote(id, notes), 422, { code: 'validation_failed', field: 'notes' });
    expect(await callRow(test, id)).toEqual(before);
  },
);

const expectNotCompleted = async (id: string) =>
  expectFailure(await addNote(id, 'x'), 422, { code: 'not_completed' });

it('accepts notes only for completed calls', async () => {
  const { call_id, websocket_token } = await tenant.join(link);
  await expectNotCompleted(call_id);
  const { call_id: otherCallId } = await tenant.join(link);
  expectStatus(await tenant.owner.api.post(`/api/v1/calls/${otherCallId}/assign`), 200);
  await expectNotCompleted(otherCallId);
  expectStatus(await tenant.owner.api.post(`/api/v1/calls/${otherCallId}/start`), 200);
  await expectNotCompleted(otherCallId);
  const auth = { token: websocket_token };
  expectStatus(await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, auth), 200);
  await expectNotCompleted(call_id);
  expect([await notesOf(call_id), await notesOf(otherCallId)]).toEqual([null, null]);
});

it('requires the role of supervisor or above in the tenant of the call', async () => {
  const id = await completedCall();
  const attendant = await tenant.member('attendant');
  expectFailure(await addNote(id, 'x', attendant), 403, { code: 'forbidden' });
  const other = await TestTenant.register(test);
  expectFailure(await addNote(id, 'x', other.owner), 404);
  expectFailure(await addNote(someId(), 'x'), 404);
  expectFailure(await addNote('seven', 'x'), 400);
  expect(await notesOf(id)).toBeNull();
  expectStatus(await addNote(id, 'x', await tenant.member('manager')), 200);
});

it('records the author of an entry in the audit log, but never its text', async () => {
  const id = await completedCall();
  const response = await addNote(id, 'Confidential');
  expect(await auditedBy(test, response)).toMatchObject([
    { action: 'call.updated', subject_id: id, user_id: ana.id, details: { changed: ['manager_notes'] } },
  ]);
  const { rows } = await test.db.query('SELECT payload FROM domain_events WHERE subject_id = $1', [id]);
  expect(JSON.stringify(rows)).not.toContain('Confidential');
});
