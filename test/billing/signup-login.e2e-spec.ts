import { cnpj, cpf } from 'cpf-cnpj-validator';
import type { Json } from '../support/http/api';
import { login, PASSWORD, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

const registration = (input: Record<string, unknown> = {}) => ({
  company_name: 'Padaria Central',
  document: cnpj.generate(true),
  document_type: 'cnpj',
  admin_name: 'Ana Souza',
  admin_email: 'ana@example.com',
  admin_password: PASSWORD,
  plan: 'free',
  ...input,
});

const register = (input: Record<string, unknown> = {}) =>
  test.api.post('/api/signup/register', registration(input));

async function count(sql: string, values: unknown[]): Promise<number> {
  const { rows } = await test.db.query(`SELECT count(*)::int AS count FROM ${sql}`, values);
  return rows[0].count;
}

describe('registering', () => {
  it('creates an active tenant on the free plan, whose owner can log in', async () => {
    const answer = await register({ company_name: 'Café São José', plan: 'free' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        tenant: { id: expect.any(String), name: 'Café São José', slug: 'cafe-sao-jose' },
        user: { id: expect.any(String), name: 'Ana Souza', email: 'ana@example.com', role: 'owner' },
        subscription: { plan: 'free', status: 'active' },
      },
    });
    const owner = await login(test, 'cafe-sao-jose', 'ana@example.com');
    expect(owner.id).toBe(answer.body.data.user.id);
    const me = await owner.api.get('/api/v1/users/me');
    expect(me.body.data).toMatchObject({ id: owner.id, role: 'owner', active: true });
    expect(me.body.data.last_login_at).not.toBeNull();
  });

  it.each(['basic', 'advanced', 'professional', 'enterprise'])(
    'leaves the paid plan %s pending, with the limits of the free plan',
    async (plan) => {
      const answer = await register({ company_name: `Paid ${plan}`, plan });
      expect(answer.body.data.subscription).toEqual({ plan, status: 'pending' });
      const owner = await login(test, answer.body.data.tenant.slug, 'ana@example.com');
      expect((await owner.api.post('/api/v1/departments', { name: 'One' })).status).toBe(201);
      expectFailure(await owner.api.post('/api/v1/departments', { name: 'Two' }), 403, {
        code: 'plan_limit',
      });
    },
  );

  it('stores the document without punctuation and the password as an argon2id hash', async () => {
    const document = cnpj.generate(true);
    const { body } = await register({ company_name: 'Rows', document });
    const { rows } = await test.db.query(
      `SELECT t.document, t.document_type, u.password_hash FROM tenants t JOIN users u ON u.tenant_id = t.id
       WHERE t.id = $1`,
      [body.data.tenant.id],
    );
    expect(rows).toEqual([
      {
        document: cnpj.strip(document),
        document_type: 'cnpj',
        password_hash: expect.stringMatching(/^\$argon2id\$v=19\$/),
      },
    ]);
  });

  it.each([
    ['an invalid CNPJ', { document: '11.222.333/0001-82' }, 'document'],
    ['a CPF sent as a CNPJ', { document: cpf.generate() }, 'document'],
    ['an unknown kind of document', { document_type: 'passport' }, 'document_type'],
    ['an invalid e-mail address', { admin_email: 'ana' }, 'admin_email'],
    ['an unknown plan', { plan: 'platinum' }, 'plan'],
    ['the name of an Object.prototype member as a plan', { plan: 'constructor' }, 'plan'],
    ['a blank company name', { company_name: '   ' }, 'company_name'],
    ['a short password', { admin_password: 'seven77' }, 'admin_password'],
    ['a long password', { admin_password: 'x'.repeat(129) }, 'admin_password'],
    ['a common password', { admin_password: 'password1' }, 'admin_password'],
    ['a name of the wrong type', { admin_name: 7 }, 'admin_name'],
  ])('rejects %s and creates nothing', async (_what, input, field) => {
    const before = await count('tenants', []);
    expectFailure(await register(input), 422, { code: 'validation_failed', field });
    expect(await count('tenants', [])).toBe(before);
  });

  it('accepts a CPF, and an alphanumeric CNPJ in either case', async () => {
    expect((await register({ document: cpf.generate(true), document_type: 'cpf' })).status).toBe(201);
    // The example of Receita Federal for the alphanumeric CNPJ.
    expect((await register({ document: '12.abc.345/01de-35' })).status).toBe(201);
    expectFailure(await register({ document: '12ABC34501DE35' }), 422, { field: 'document' });
  });

  it('rejects a document in use with any punctuation', async () => {
    const document = cnpj.generate();
    expect((await register({ document })).status).toBe(201);
    expectFailure(await register({ document: cnpj.format(document) }), 422, { field: 'document' });
  });

  it('creates one tenant when the same document is registered several times at once', async () => {
    const document = cnpj.generate();
    const answers = await Promise.all(Array.from({ length: 6 }, () => register({ document })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expectFailure(answer, 422, { field: 'document' });
    }
    expect(await count('tenants WHERE document = $1', [document])).toBe(1);
  });

  it('gives tenants of the same name different slugs, even when they register at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => register({ company_name: 'Farmácia Boa' })),
    );
    expect(answers.map((answer) => answer.body.data.tenant.slug).sort()).toEqual([
      'farmacia-boa',
      'farmacia-boa-2',
      'farmacia-boa-3',
      'farmacia-boa-4',
    ]);
  });
});

const attempt = (input: Json) => test.api.post('/api/auth/login', input);

describe('logging in', () => {
  it('accepts slug and name in either case and returns an unwrapped body', async () => {
    const tenant = await TestTenant.register(test, 'free');
    for (const name of [tenant.slug, tenant.slug.toUpperCase(), tenant.name, tenant.name.toUpperCase()]) {
      const email = tenant.owner.email.toUpperCase();
      const answer = await attempt({ tenant: name, email, password: PASSWORD });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expires_in: 900,
        refresh_token: expect.any(String),
        user: { id: tenant.owner.id, name: 'Olga Owner', email: tenant.owner.email, role: 'owner' },
      });
    }
  });

  it('distinguishes tenants of the same name by the password', async () => {
    const email = 'same@example.com';
    const company_name = 'Gêmeos';
    const [first, second] = [
      await register({ company_name, admin_email: email, admin_password: 'the first passphrase' }),
      await register({ company_name, admin_email: email, admin_password: 'the second passphrase' }),
    ];
    const a = await attempt({ tenant: 'gêmeos', email, password: 'the first passphrase' });
    const b = await attempt({ tenant: 'GÊMEOS', email, password: 'the second passphrase' });
    expect([a.body.user.id, b.body.user.id]).toEqual([first.body.data.user.id, second.body.data.user.id]);
  });

  it('finds a company by its name although its name is the slug of another one', async () => {
    const email = 'both@example.com';
    const [slugged, named] = [
      await register({
        company_name: 'Bolo-Bom',
        admin_email: email,
        admin_password: 'the first passphrase',
      }),
      await register({ company_name: 'bolo-bom', admin_email: 'ana@example.com' }),
    ];
    expect(slugged.body.data.tenant.slug).toBe('bolo-bom');
    const owner = await attempt({ tenant: 'bolo-bom', email: 'ana@example.com', password: PASSWORD });
    expect(owner.body.user.id).toBe(named.body.data.user.id);
    const other = await attempt({ tenant: 'bolo-bom', email, password: 'the first passphrase' });
    expect(other.body.user.id).toBe(slugged.body.data.user.id);
  });

  it('tries the three newest companies of a name that know the e-mail, the newest first', async () => {
    const email = 'many@example.com';
    const ids: string[] = [];
    for (const admin_password of ['passphrase one', 'passphrase two', PASSWORD, PASSWORD]) {
      const company_name = 'Muitas Três';
      ids.push((await register({ company_name, admin_email: email, admin_password })).body.data.user.id);
    }
    // Companies that do not know the e-mail do not count.
    for (let n = 0; n < 3; n++)
      await register({ company_name: 'Muitas Três', admin_email: 'ana@example.com' });
    const byName = (password: string) => attempt({ tenant: 'muitas três', email, password });
    expect((await byName(PASSWORD)).body.user.id).toBe(ids[3]);
    expect((await byName('passphrase two')).body.user.id).toBe(ids[1]);
    expectFailure(await byName('passphrase one'), 401, { code: 'invalid_credentials' });
    const bySlug = await attempt({ tenant: 'muitas-tres-2', email, password: 'passphrase two' });
    expect(bySlug.body.user.id).toBe(ids[1]);
  });

  it('tries the company of that slug even if newer ones of that name know the e-mail', async () => {
    const email = 'crowded@example.com';
    const ids: string[] = [];
    for (const [n, company_name] of ['Vila Boa', ...Array<string>(4).fill('vila-boa')].entries()) {
      const input = { company_name, admin_email: email, admin_password: `passphrase ${n}` };
      ids.push((await register(input)).body.data.user.id);
    }
    const bySlug = (n: number) => attempt({ tenant: 'vila-boa', email, password: `passphrase ${n}` });
    expect((await bySlug(0)).body.user.id).toBe(ids[0]);
    // The other two places belong to the newest companies of that name.
    for (const n of [4, 3]) expect((await bySlug(n)).body.user.id).toBe(ids[n]);
    for (const n of [2, 1]) expectFailure(await bySlug(n), 401, { code: 'invalid_credentials' });
    const byOwnSlug = await attempt({ tenant: 'vila-boa-2', email, password: 'passphrase 1' });
    expect(byOwnSlug.body.user.id).toBe(ids[1]);
  });

  it('prefers a newer company of that name to the one of that slug if the password fits both', async () => {
    const admin_email = 'newer@example.com';
    await register({ company_name: 'Casa Nova', admin_email });
    const newer = await register({ company_name: 'casa-nova', admin_email });
    const answer = await attempt({ tenant: 'casa-nova', email: admin_email, password: PASSWORD });
    expect(answer.body.user.id).toBe(newer.body.data.user.id);
  });

  it('tries active users of working companies before others', async () => {
    const admin_email = 'places@example.com';
    const ids: Record<'tenant' | 'user', string>[] = [];
    for (let n = 0; n < 5; n++) {
      const input = { company_name: 'Lugares', admin_email, admin_password: `passphrase ${n}` };
      const { tenant, user } = (await register(input)).body.data;
      ids.push({ tenant: tenant.id, user: user.id });
    }
    const of = (kind: 'tenant' | 'user') => ids.slice(1).map((company) => company[kind]);
    await test.db.query('UPDATE users SET active = false WHERE id = ANY ($1)', [of('user').slice(1)]);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [of('tenant')[0]]);
    const byName = (n: number) =>
      attempt({ tenant: 'Lugares', email: admin_email, password: `passphrase ${n}` });
    expect((await byName(0)).body.user?.id).toBe(ids[0]?.user);
    expectFailure(await byName(1), 403, { code: 'tenant_suspended' });
    for (const n of [2, 3, 4]) expectFailure(await byName(n), 401, { code: 'invalid_credentials' });
  });

  it('returns the same 401 for a wrong tenant, e-mail or password', async () => {
    const { slug, owner } = await TestTenant.register(test, 'free');
    const right = { tenant: slug, email: owner.email, password: PASSWORD };
    const other = await TestTenant.register(test, 'free');
    const answers = [
      await attempt({ ...right, tenant: 'nowhere' }),
      await attempt({ ...right, tenant: other.slug }),
      await attempt({ ...right, email: 'nobody@example.com' }),
      await attempt({ ...right, password: `${PASSWORD}!` }),
    ];
    for (const answer of answers) {
      expectFailure(answer, 401, { code: 'invalid_credentials' });
      expect(answer.body).toEqual(answers[0]?.body);
    }
  });

  it('to a suspended tenant is 403 with the right password only, and its tokens are rejected', async () => {
    const { id, slug, owner } = await TestTenant.register(test, 'free');
    expect((await owner.api.get('/api/v1/users/me')).status).toBe(200);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [id]);
    const right = { tenant: slug, email: owner.email, password: PASSWORD };
    expectFailure(await attempt(right), 403, { code: 'tenant_suspended' });
    expectFailure(await attempt({ ...right, password: 'wrong' }), 401, { code: 'invalid_credentials' });
    test.clock.advance(5.001);
    expectFailure(await owner.api.get('/api/v1/users/me'), 401, { code: 'session_ended' });
  });

  it.each([
    ['tenant', { email: 'ana@example.com', password: PASSWORD }],
    ['email', { tenant: 'x', password: PASSWORD }],
    ['password', { tenant: 'x', email: 'ana@example.com' }],
    ['password', { tenant: 'x', email: 'ana@example.com', password: { $ne: '' } }],
  ])('requires %s', async (field, input) => {
    expectFailure(await attempt(input), 422, { code: 'validation_failed', field });
  });
});
