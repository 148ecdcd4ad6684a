import { Database } from '../../src/platform/database/database';
import type { Answer, Api, Json } from '../support/http/api';
import { auditedBy } from '../support/contexts/audit-rows';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { raceRounds } from '../support/race-rounds';
import { expectFailure } from '../support/database/failures';
import { waitForLockWaiters } from '../support/database/lock-waiters';
import { callRow } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';

const PATH = '/api/v1/customers';

let test: TestApp;
let tenant: TestTenant;
let owner: Api;
let department: Json;
let link: Json;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
  ({ department, link } = await tenant.queue({ max_queue_size: 10_000, max_wait_time: 36_000 }));
});

afterAll(() => test.close());

async function create(input: Json = {}): Promise<Json> {
  const answer = await owner.post(PATH, { name: 'Some Body', ...input });
  expectStatus(answer, 201);
  return answer.body.data;
}

const merge = (primary_id: string, ...duplicate_ids: string[]): Promise<Answer> =>
  owner.post(`${PATH}/merge`, { primary_id, duplicate_ids });

const personalLink = (customer: Json): Promise<Json> =>
  tenant.link(department.id, { customer_id: customer.id });

const join = (accessLink: Json, body: Json = { name: 'Joiner' }): Promise<Answer> =>
  test.api.post(`/api/v1/call/${accessLink.token}/join`, body);

/** Creates a call of the customer. */
async function callOf(customer: Json): Promise<string> {
  test.clock.advance(1);
  return (await tenant.join(await personalLink(customer))).call_id;
}

const customerOf = async (callId: string): Promise<string> => (await callRow(test, callId)).customer_id;
const get = (id: string): Promise<Answer> => owner.get(`${PATH}/${id}`);

/** Returns all customers, calls and links, and the number of events and audit entries. */
async function snapshot(): Promise<Json> {
  const { rows } = await test.db.query(
    `SELECT (SELECT jsonb_agg(to_jsonb(c) ORDER BY c.id) FROM customers c) AS customers,
       (SELECT jsonb_agg(to_jsonb(w) ORDER BY w.customer_id) FROM customer_words w) AS words,
       (SELECT jsonb_agg(to_jsonb(c) ORDER BY c.id) FROM calls c) AS calls,
       (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.id) FROM access_links l) AS links,
       (SELECT count(*) FROM domain_events) AS events, (SELECT count(*) FROM audit_log) AS log`,
  );
  return rows[0];
}

/** Returns customers whose call counters are wrong, and calls without a customer. */
async function inconsistencies(): Promise<Json[]> {
  const { rows } = await test.db.query(
    `SELECT c.id, c.call_count, k.calls, c.last_call_at, k.last FROM customers c, LATERAL (
       SELECT count(*)::int AS calls, max(inserted_at) AS last FROM calls WHERE customer_id = c.id) k
     WHERE (c.call_count, c.last_call_at) IS DISTINCT FROM (k.calls, k.last)
     UNION ALL SELECT id, NULL, NULL, NULL, NULL FROM calls WHERE customer_id IS NULL`,
  );
  return rows;
}

afterEach(async () => expect(await inconsistencies()).toEqual([]));

describe('merging customers', () => {
  it('moves calls and links, fills empty fields from the oldest duplicate first, and deletes the duplicates', async () => {
    const primary = await create({ name: 'Ana Souza', email: 'ana@example.com', metadata: { a: 1 } });
    test.clock.advance(1);
    const older = await create({
      name: 'A. Souza',
      email: 'other@example.com',
      phone: '11',
      metadata: { a: 2, b: 2 },
    });
    test.clock.advance(1);
    const newer = await create({
      name: 'Ana S.',
      phone: '22',
      document: '7',
      notes: 'Nice',
      metadata: { b: 3, c: 3 },
    });
    const links = [await personalLink(older), await personalLink(newer)];
    const calls = [await callOf(newer), await callOf(primary), await callOf(older)];
    const last = (await callRow(test, calls[2] ?? '')).inserted_at;

    const answer = await merge(primary.id, newer.id, older.id, newer.id);

    expectStatus(answer, 200);
    expect(answer.body.data).toEqual({
      ...primary,
      phone: '11',
      document: '7',
      notes: 'Nice',
      metadata: { a: 1, b: 2, c: 3 },
      call_count: 3,
      last_call_at: last.toISOString(),
      updated_at: expect.any(String),
    });
    expect((await get(primary.id)).body.data).toEqual(answer.body.data);
    for (const { id } of [older, newer]) expectFailure(await get(id), 404);
    for (const id of calls) expect(await customerOf(id)).toBe(primary.id);
    for (const { id, status } of links) {
      expect((await owner.get(`/api/v1/access-links/${id}`)).body.data).toMatchObject({
        customer_id: primary.id,
        status,
      });
    }
    const notesMatches = (await owner.get(`${PATH}?search=nice%20ana`)).body.data;
    expect(notesMatches).toEqual([]);
    expect((await owner.get(`${PATH}?search=souza`)).body.data.map(({ id }: Json) => id)).toEqual([
      primary.id,
    ]);
    const entries = await auditedBy(test, answer);
    expect(entries).toMatchObject([
      {
        action: 'customer.merged',
        subject_type: 'customer',
        subject_id: primary.id,
        details: { duplicate_ids: [newer.id, older.id] },
      },
    ]);
  });

  it('keeps calls in progress working', async () => {
    const [primary, duplicate] = [await create(), await create()];
    const id = await callOf(duplicate);
    expectStatus(await owner.post(`/api/v1/calls/${id}/start`), 200);
    expectStatus(await merge(primary.id, duplicate.id), 200);
    expectStatus(await owner.post(`/api/v1/calls/${id}/complete`), 200);
    expect(await callRow(test, id)).toMatchObject({ status: 'completed', customer_id: primary.id });
  });

  it('accepts ids in upper case', async () => {
    const [primary, duplicate] = [await create(), await create({ phone: '5' })];
    const answer = await merge(primary.id.toUpperCase(), duplicate.id.toUpperCase(), duplicate.id);
    expect(answer.body.data).toMatchObject({ id: primary.id, phone: '5' });
  });

  describe('is rejected without any change', () => {
    let primary: Json;
    let duplicate: Json;
    let foreign: Json;

    beforeAll(async () => {
      [primary, duplicate] = [await create({ email: 'p@example.com' }), await create({ phone: '1' })];
      const other = (await TestTenant.register(test)).owner.api;
      foreign = (await other.post(PATH, { name: 'Foreign' })).body.data;
      await callOf(duplicate);
    });

    it.each<[string, () => Json, string]>([
      ['no duplicates', () => ({ primary_id: primary.id, duplicate_ids: [] }), 'duplicate_ids'],
      ['no list of duplicates', () => ({ primary_id: primary.id }), 'duplicate_ids'],
      ['no primary', () => ({ duplicate_ids: [duplicate.id] }), 'primary_id'],
      ['malformed ids', () => ({ primary_id: primary.id, duplicate_ids: ['x'] }), 'duplicate_ids'],
      [
        'the customer itself',
        () => ({ primary_id: primary.id, duplicate_ids: [duplicate.id, primary.id] }),
        'duplicate_ids',
      ],
      [
        'the customer itself in upper case',
        () => ({ primary_id: primary.id, duplicate_ids: [primary.id.toUpperCase()] }),
        'duplicate_ids',
      ],
      ['an unknown primary', () => ({ primary_id: someId(), duplicate_ids: [duplicate.id] }), 'primary_id'],
      [
        'an unknown duplicate',
        () => ({ primary_id: primary.id, duplicate_ids: [duplicate.id, someId()] }),
        'duplicate_ids',
      ],
      [
        "another tenant's duplicate",
        () => ({ primary_id: primary.id, duplicate_ids: [duplicate.id, foreign.id] }),
        'duplicate_ids',
      ],
      [
        "another tenant's primary",
        () => ({ primary_id: foreign.id, duplicate_ids: [duplicate.id] }),
        'primary_id',
      ],
      [
        'more than a hundred duplicates',
        () => ({ primary_id: primary.id, duplicate_ids: Array.from({ length: 101 }, someId) }),
        'duplicate_ids',
      ],
    ])('with %s', async (_what, body, field) => {
      const before = await snapshot();
      expectFailure(await owner.post(`${PATH}/merge`, body()), 422, { field });
      expect(await snapshot()).toEqual(before);
    });

    it('when its last step fails', async () => {
      const before = await snapshot();
      await test.db.query(
        `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'out of order'; END $$;
         CREATE TRIGGER fail BEFORE UPDATE OF document ON customers FOR EACH ROW EXECUTE FUNCTION fail()`,
      );
      try {
        expectFailure(await merge(primary.id, duplicate.id), 500);
      } finally {
        await test.db.query('DROP FUNCTION fail CASCADE');
      }
      expect(await snapshot()).toEqual(before);
      expectStatus(await merge(primary.id, duplicate.id), 200);
    });
  });
});

/** Creates three customers with two calls each. */
async function createThree(): Promise<{ a: string; b: string; c: string; calls: string[] }> {
  const customers = [await create(), await create(), await create()];
  const calls: string[] = [];
  for (const customer of [...customers, ...customers]) calls.push(await callOf(customer));
  const [a, b, c] = customers.map(({ id }) => id);
  return { a, b, c, calls };
}

const remainingOf = async (...ids: string[]): Promise<string[]> => {
  const { rows } = await test.db.query('SELECT id FROM customers WHERE id = ANY ($1)', [ids]);
  return rows.map(({ id }) => id);
};

describe('concurrent merges', () => {
  const ROUNDS = raceRounds(6);

  it('of two customers into each other: exactly one succeeds', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { a, b, calls } = await createThree();
      const answers = await Promise.all([merge(a, b), merge(b, a)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
      const winner = answers[0].status === 200 ? a : b;
      expect(await remainingOf(a, b)).toEqual([winner]);
      expect((await get(winner)).body.data.call_count).toBe(4);
      for (const index of [0, 1, 3, 4]) expect(await customerOf(calls[index] ?? '')).toBe(winner);
    }
  });

  it('in a chain: both succeed in turn, or the later one fails because its customer was deleted', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { a, b, c, calls } = await createThree();
      const [first, second] = await Promise.all([merge(a, b), merge(b, c)]);
      expectStatus(first, 200);
      // Either c was merged into b before b was merged, or b was already deleted.
      expect([200, 422]).toContain(second.status);
      const expected = second.status === 200 ? [a] : [a, c];
      expect((await remainingOf(a, b, c)).toSorted()).toEqual(expected.toSorted());
      expect((await get(a)).body.data.call_count).toBe(second.status === 200 ? 6 : 4);
      for (const id of calls) expect(expected).toContain(await customerOf(id));
    }
  });

  it('with the same ids: only one succeeds', async () => {
    const { a, b, c } = await createThree();
    const answers = await Promise.all(Array.from({ length: 5 }, () => merge(a, b, c)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422]);
    expect((await get(a)).body.data.call_count).toBe(6);
    const { rows } = await test.db.query(
      `SELECT FROM domain_events WHERE subject_id = $1 AND type = 'customer.merged'`,
      [a],
    );
    expect(rows).toHaveLength(1);
  });

  it('of many into many: no call loses its customer and no request fails unexpectedly', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => create()));
    const calls = await Promise.all(people.map(callOf));
    const answers = await Promise.all(
      people.flatMap(({ id }, index) =>
        [1, 2, 3].map((step) => merge(id, people[(index + step) % 8].id, people[(index + 2 * step) % 8].id)),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    const remaining = await remainingOf(...people.map(({ id }) => id));
    for (const id of calls) expect(remaining).toContain(await customerOf(id));
  });
});

describe('joins during a merge', () => {
  it('by e-mail and by personal links: no call is lost', async () => {
    for (let round = 0; round < raceRounds(5); round++) {
      const email = `round${round}@example.com`;
      const [primary, duplicate] = [await create({ phone: '9' }), await create({ email })];
      const { link: otherLink } = await tenant.queue();
      const links = [
        await personalLink(duplicate),
        await personalLink(primary),
        await personalLink(duplicate),
      ];
      const [merged, ...joins] = await Promise.all([
        merge(primary.id, duplicate.id),
        ...[link, otherLink, link].map((accessLink) => join(accessLink, { name: 'Racer', email })),
        ...links.map((accessLink) => join(accessLink)),
      ]);
      expectStatus(merged, 200);
      for (const answer of joins) {
        expectStatus(answer, 200);
        expect(await customerOf(answer.body.data.call_id)).toBe(primary.id);
      }
      expect((await get(primary.id)).body.data).toMatchObject({ email, call_count: 6 });
    }
  });

  it('by a link: do not deadlock with the merge', async () => {
    const [primary, duplicate] = [await create(), await create()];
    const customerLink = await personalLink(duplicate);
    const answers: Promise<Answer>[] = [];
    // Another transaction locks the link, so both requests start before either can continue, then wait for each other.
    await test.get(Database).tenant(tenant.id, async (tx) => {
      await tx.query('SELECT FROM access_links WHERE id = $1 FOR UPDATE', [customerLink.id]);
      for (const step of [() => join(customerLink), () => merge(primary.id, duplicate.id)]) {
        answers.push(step());
        await waitForLockWaiters(test, answers.length);
      }
    });
    const [joined, merged] = await Promise.all(answers);
    expect([joined?.status, merged?.status]).toEqual([200, 200]);
    expect(await customerOf(joined?.body.data.call_id)).toBe(primary.id);
  });

  it('with an e-mail that the merge removes: create a new customer', async () => {
    const email = 'twice@example.com';
    const [primary, duplicate] = [await create({ email: 'once@example.com' }), await create({ email })];
    const answers: Promise<Answer>[] = [];
    await test.get(Database).tenant(tenant.id, async (tx) => {
      await tx.query('SELECT FROM customers WHERE id = $1 FOR UPDATE', [duplicate.id]);
      for (const step of [
        () => merge(primary.id, duplicate.id),
        () => join(link, { name: 'Racer', email }),
      ]) {
        answers.push(step());
        await waitForLockWaiters(test, answers.length);
      }
    });
    const [merged, joined] = await Promise.all(answers);
    expect([merged?.status, joined?.status]).toEqual([200, 200]);
    // The primary kept its own e-mail, so the other e-mail belongs to a new customer.
    const { customer_id } = await callRow(test, joined?.body.data.call_id);
    expect((await get(customer_id)).body.data).toMatchObject({ email, call_count: 1 });
    expect(customer_id).not.toBe(primary.id);
  });
});
