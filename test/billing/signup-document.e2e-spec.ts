import { cnpj, cpf } from 'cpf-cnpj-validator';
import type { Answer, Json } from '../support/http/api';
import { expectStatus, login, PASSWORD } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { expectThrottled, fromAddress, newAddress } from '../support/contexts/throttling';
import { RateLimiter } from '../../src/platform/rate-limit/rate-limiter';
import { startTestApp, type TestApp } from '../support/test-app';

/** The example of an alphanumeric CNPJ by Receita Federal (Instrução Normativa RFB 2.229/2024). */
const ALPHANUMERIC_CNPJ = '12.ABC.345/01DE-35';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
});

afterAll(() => test.close());

const validate = (document: unknown, document_type: unknown = 'cnpj', address = newAddress()) =>
  test.api.post('/api/signup/validate-document', { document, document_type }, fromAddress(address));

const register = (input: Json = {}) =>
  test.api.post('/api/signup/register', {
    company_name: 'Padaria Central',
    document: cnpj.generate(true),
    document_type: 'cnpj',
    admin_name: 'Ana Souza',
    admin_email: 'ana@example.com',
    admin_password: PASSWORD,
    plan: 'free',
    ...input,
  });

/** A random alphanumeric CNPJ with valid check digits. */
function randomAlphanumericCnpj(): string {
  const letters = Math.random().toString(36).slice(2, 6).toUpperCase().padEnd(4, 'Z');
  const base = `${letters}${cnpj.generate().slice(4, 12)}`;
  for (let digits = 0; digits < 100; digits++) {
    const candidate = base + String(digits).padStart(2, '0');
    if (cnpj.isValid(candidate)) return candidate;
  }
  throw new Error(`${base} has no check digits`);
}

/** Ten spellings of one CNPJ. */
function spellings(bare: string): string[] {
  const formatted = cnpj.format(bare);
  const spaced = bare.replace(/(.{3})/g, '$1 ');
  const written = [bare, formatted, spaced, ` ${formatted} `, bare.replace(/(.{2})/g, '$1.')];
  return [...written, ...written.map((text) => text.toLowerCase())];
}

async function rowCounts(): Promise<Json> {
  const { rows } = await test.db.query(
    `SELECT (SELECT count(*) FROM tenants)::int AS tenants, (SELECT count(*) FROM users)::int AS users,
       (SELECT count(*) FROM subscriptions)::int AS subscriptions, (SELECT count(*) FROM domain_events)::int AS events,
       (SELECT count(*) FROM audit_log)::int AS audited`,
  );
  return rows[0];
}

const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);

describe('validating a document', () => {
  it.each([
    ['11.222.333/0001-81', 'cnpj', '11222333000181'],
    ['11222333000181', 'cnpj', '11222333000181'],
    [' 11 222 333 0001 81 ', 'cnpj', '11222333000181'],
    ['00.000.000/0001-91', 'cnpj', '00000000000191'],
    [ALPHANUMERIC_CNPJ, 'cnpj', '12ABC34501DE35'],
    ['12abc34501de35', 'cnpj', '12ABC34501DE35'],
    ['529.982.247-25', 'cpf', '52998224725'],
    ['52998224725', 'cpf', '52998224725'],
  ])('%j as %s is valid', async (written, document_type, document) => {
    const answer = await validate(written, document_type);
    expectStatus(answer, 200);
    expect(answer.body).toEqual({ data: { valid: true, document, document_type } });
  });

  it('ignores the case of the type, as registering does', async () => {
    const { body } = await validate('11.222.333/0001-81', 'CNPJ');
    expect(body.data).toEqual({ valid: true, document: '11222333000181', document_type: 'cnpj' });
    expectStatus(await validate('529.982.247-25', 'Cpf'), 200);
    const answer = await register({ document: cpf.generate(), document_type: 'CPF' });
    expectStatus(answer, 201);
    const { rows } = await test.db.query('SELECT document_type FROM tenants WHERE id = $1', [
      answer.body.data.tenant.id,
    ]);
    expect(rows).toEqual([{ document_type: 'cpf' }]);
  });

  it.each([
    ['12.ABC.345/01DE-36', 'cnpj'],
    ['12.ABC.345/01DE-3A', 'cnpj'],
    ['11.222.333/0001-82', 'cnpj'],
    ['11.222.333/0001-8', 'cnpj'],
    ['11.222.333/0001-811', 'cnpj'],
    ...Array.from({ length: 10 }, (_, digit): [string, string] => [String(digit).repeat(14), 'cnpj']),
    ...Array.from({ length: 10 }, (_, digit): [string, string] => [String(digit).repeat(11), 'cpf']),
    ['529.982.247-26', 'cpf'],
    ['529.982.247-25', 'cnpj'],
    ['11.222.333/0001-81', 'cpf'],
    ['１１２２２３３３０００１８１', 'cnpj'],
    ["11222333000181'; --", 'cnpj'],
    ['11,222,333/0001-81', 'cnpj'],
    ['', 'cnpj'],
    ['...', 'cnpj'],
    ['1'.repeat(31), 'cnpj'],
    [11222333000181, 'cnpj'],
    [null, 'cnpj'],
    [['11222333000181'], 'cnpj'],
    ['11222333000181\0', 'cnpj'],
  ])('%j as %s is invalid', async (document, document_type) => {
    expectFailure(await validate(document, document_type), 422, {
      code: 'validation_failed',
      field: 'document',
    });
  });

  it.each([['C-NPJ'], ['passport'], [''], [null], [7], ['constructor']])(
    'the document_type %j is rejected',
    async (document_type) => {
      expectFailure(await validate('11.222.333/0001-81', document_type), 422, {
        code: 'validation_failed',
        field: 'document_type',
      });
    },
  );

  it('rejects a document in use in every spelling and creates nothing', async () => {
    const document = randomAlphanumericCnpj();
    expectStatus(await validate(document), 200);
    const before = await rowCounts();
    expectStatus(await validate(document), 200);
    expect(await rowCounts()).toEqual(before);
    expectStatus(await register({ document }), 201);
    for (const spelling of spellings(document)) {
      const answer = await validate(spelling);
      expectFailure(answer, 422, { code: 'validation_failed', field: 'document' });
      expect(answer.body.errors.fields.document).toEqual(['is already in use']);
    }
  });

  it('rejects the document of an unpaid or suspended tenant', async () => {
    const document = cnpj.generate();
    const { id } = (await register({ document, plan: 'enterprise' })).body.data.tenant;
    expectFailure(await validate(document), 422, { field: 'document' });
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [id]);
    expectFailure(await validate(document), 422, { field: 'document' });
  });
});

const registered = async (): Promise<string> => {
  const document = cnpj.generate();
  expectStatus(await register({ document }), 201);
  return document;
};

describe('five answers that a document is in use', () => {
  it('are the last of a client address for a minute, whatever the document', async () => {
    const document = await registered();
    const address = newAddress();
    const check = (written: string) => validate(written, 'cnpj', address);
    for (let n = 0; n < 5; n++) {
      // Free and invalid ones do not count.
      expectStatus(await check(cnpj.generate()), 200);
      expectFailure(await check('11.222.333/0001-82'), 422, { field: 'document' });
      expectFailure(await check(document), 422, { field: 'document' });
    }
    for (const written of [document, await registered(), cnpj.generate(), '11.222.333/0001-82']) {
      expectThrottled(await check(written));
    }
    expectFailure(await validate(document), 422, { field: 'document' });
    expectStatus(await validate(cnpj.generate()), 200);
    // As after the minute.
    await test.get(RateLimiter).reset('document_in_use', address);
    expectStatus(await check(cnpj.generate()), 200);
  });

  it('are five, too, of many requests at once', async () => {
    const document = await registered();
    const address = newAddress();
    const answers = await Promise.all(
      spellings(document).map((written) => validate(written, 'cnpj', address)),
    );
    expect(withStatus(answers, 422)).toHaveLength(5);
    for (const answer of withStatus(answers, 429)) expectThrottled(answer);
    expect(withStatus(answers, 429)).toHaveLength(5);
  });
});

describe('concurrent registrations', () => {
  it.each([2, 10])('of %i spellings of one document create one tenant', async (count) => {
    const document = randomAlphanumericCnpj();
    const written = count === 2 ? [document, cnpj.format(document).toLowerCase()] : spellings(document);
    expect(new Set(written).size).toBe(count);
    const before = await rowCounts();

    const answers = await Promise.all(
      written.map((spelling, n) => register({ document: spelling, admin_email: `admin${n}@example.com` })),
    );

    const [created, ...others] = withStatus(answers, 201);
    expect(others).toEqual([]);
    const rejected = withStatus(answers, 422);
    expect(rejected).toHaveLength(count - 1);
    for (const answer of rejected) expectFailure(answer, 422, { field: 'document' });
    const { id, slug } = created?.body.data.tenant ?? {};
    const { rows } = await test.db.query('SELECT id, document FROM tenants WHERE document = $1', [document]);
    expect(rows).toEqual([{ id, document }]);
    expect(await rowCounts()).toMatchObject({
      tenants: before.tenants + 1,
      users: before.users + 1,
      subscriptions: before.subscriptions + 1,
    });
    // The tenant is complete: its owner can log in and use the API.
    const owner = await login(test, slug, created?.body.data.user.email);
    expectStatus(await owner.api.get('/api/v1/billing/plan'), 200);
  });

  it('of ten companies with the same name get different slugs', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => register({ company_name: 'Açaí & Cia.' })),
    );
    expect(withStatus(answers, 201)).toHaveLength(10);
    const slugs = answers.map(({ body }) => body.data.tenant.slug);
    const expected = ['acai-cia', ...Array.from({ length: 9 }, (_, n) => `acai-cia-${n + 2}`)];
    expect(slugs.toSorted()).toEqual(expected.toSorted());
    expect(new Set(answers.map(({ body }) => body.data.tenant.name))).toEqual(new Set(['Açaí & Cia.']));
  });

  it('of one name and one document reserve no slug when they are rejected', async () => {
    const document = cnpj.generate();
    const input = { company_name: 'Padaria do Zé', document };
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(input)));
    expect(withStatus(answers, 201)[0]?.body.data.tenant.slug).toBe('padaria-do-ze');
    expect((await register({ company_name: 'Padaria do Zé' })).body.data.tenant.slug).toBe('padaria-do-ze-2');
  });

  it.each(['!!!', '北京', '   -   '])('of a name like %j get a slug', async (company_name) => {
    const answer = await register({ company_name });
    expectStatus(answer, 201);
    expect(answer.body.data.tenant).toMatchObject({
      name: company_name.trim(),
      slug: expect.stringMatching(/^[a-z0-9-]+$/),
    });
  });
});

const rejectSql = (sql: string) => `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
  CREATE TRIGGER refuse ${sql} FOR EACH ROW EXECUTE FUNCTION refuse();`;

describe('a registration that fails', () => {
  afterEach(() => test.db.query('DROP FUNCTION IF EXISTS refuse CASCADE'));

  it.each([
    ['subscription', 'BEFORE INSERT ON subscriptions'],
    ['owner', 'AFTER INSERT ON users'],
    ['event', 'AFTER INSERT ON domain_events'],
  ])('at its %s leaves nothing and can be repeated', async (_what, trigger) => {
    const before = await rowCounts();
    const input = { company_name: `Failing ${trigger}`, document: cnpj.generate() };
    await test.db.query(rejectSql(trigger));
    expectFailure(await register(input), 500);
    expect(await rowCounts()).toEqual(before);
    await test.db.query('DROP FUNCTION refuse CASCADE');
    expectStatus(await validate(input.document), 200);
    const answer = await register(input);
    expectStatus(answer, 201);
    expect(answer.body.data.tenant.slug).not.toMatch(/-2$/);
  });

  it.each<[string, Json]>([
    ['with a document in use', {}],
    ['with a CPF for a CNPJ', { document: cpf.generate() }],
    ['with a bad e-mail', { document: undefined, admin_email: 'ana' }],
    ['for an unknown plan', { document: undefined, plan: 'platinum' }],
  ])('%s leaves nothing', async (_what, input) => {
    const documentInUse = cnpj.generate();
    expectStatus(await register({ document: documentInUse }), 201);
    const before = await rowCounts();
    const document = 'document' in input ? (input.document ?? cnpj.generate()) : documentInUse;
    expectFailure(await register({ ...input, document }), 422, { code: 'validation_failed' });
    expect(await rowCounts()).toEqual(before);
  });
});
