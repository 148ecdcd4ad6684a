import { hash } from '@node-rs/argon2';
import { PasswordHasher } from '../../src/identity/users/password-hasher';
import type { Answer, Json } from '../support/http/api';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const ME = '/api/v1/users/me';
/** Decomposed, as some keyboards send it; composed; and with characters of full width. */
const NFD = 'coração ñandú'.normalize('NFD');
const NFC = NFD.normalize('NFC');
const WIDE = NFC.replace('c', 'ｃ');

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test, 'enterprise');
});

afterAll(() => test.close());

const tryLogin = ({ email }: { email: string }, password: string): Promise<Answer> =>
  test.api.post('/api/auth/login', { tenant: tenant.slug, email, password });

const setHash = ({ id }: Member, password_hash: string) =>
  test.db.query('UPDATE users SET password_hash = $2 WHERE id = $1', [id, password_hash]);

describe('a password', () => {
  it.each([
    ['decomposed', NFD],
    ['composed', NFC],
    ['of full width', WIDE],
  ])('that was chosen %s fits in all forms', async (_form, chosen) => {
    const member = await tenant.member();
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${member.id}`, { password: chosen }), 200);
    for (const typed of [NFD, NFC, WIDE]) expectStatus(await tryLogin(member, typed), 200);
    for (const typed of [NFC.replace('ç', 'c'), `${NFC}!`]) expectStatus(await tryLogin(member, typed), 401);
  });

  it('whose hash is of another form than NFKC fits as it was sent', async () => {
    const member = await tenant.member();
    await setHash(member, await hash(NFD, { memoryCost: 256, timeCost: 1 }));
    expectStatus(await tryLogin(member, NFD), 200);
    expectStatus(await tryLogin(member, NFC), 401);
  });

  it('has 8 to 128 characters in NFKC, and may be longer as it is typed', async () => {
    const member = await tenant.member();
    const set = (password: string) => tenant.owner.api.put(`/api/v1/users/${member.id}`, { password });
    expectFailure(await set('é'.normalize('NFD').repeat(7)), 422, { field: 'password' });
    expectFailure(await set('\ufdfa'.repeat(8)), 422, { field: 'password' });
    const long = 'é'.normalize('NFD').repeat(128);
    expectStatus(await set(long), 200);
    expectStatus(await tryLogin(member, long), 200);
    expectFailure(await set('１２３４５６７８'), 422, { field: 'password' });
  });

  it('takes the same work for an unknown account, in every form', async () => {
    const hasher = test.get(PasswordHasher);
    const forms: string[] = [];
    const run = jest.spyOn(hasher['verifications'], 'run');
    try {
      for (const email of ['nobody@example.com', (await tenant.member()).email]) {
        run.mockClear();
        expectStatus(await tryLogin({ email }, NFD), 401);
        forms.push(String(run.mock.calls.length));
      }
    } finally {
      run.mockRestore();
    }
    expect(forms).toEqual(['2', '2']);
  });

  it('is compared so when it is confirmed, too', async () => {
    const member = await tenant.member();
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${member.id}`, { password: NFC }), 200);
    const { body } = await tryLogin(member, NFC);
    const input = { password: 'a wholly different one', current_password: NFD };
    expectStatus(await test.api.as(body.access_token).put(ME, input), 200);
  });
});

describe('invisible characters', () => {
  it('are removed from addresses: at the creation, the login, and the join of a customer', async () => {
    const input = { name: 'Nina', email: ' \u200bni\u00adna@example.com\ufeff\u200b', role: 'attendant' };
    const created = await tenant.owner.api.post('/api/v1/users', { ...input, password: NFC });
    expect(created.body.data.email).toBe('nina@example.com');
    const again = await tenant.owner.api.post('/api/v1/users', { ...input, email: 'nina@exa\u200bmple.com' });
    expectFailure(again, 422, { field: 'email' });
    for (const email of ['nina@example.com', 'nina@example.com\u200b'])
      expectStatus(await tryLogin({ email }, NFC), 200);
    const { link } = await tenant.queue();
    const { call_id } = await tenant.join(link, { email: 'jo\u200bao@example.com' });
    const { body } = await tenant.owner.api.get(`/api/v1/calls/${call_id}`);
    expect(body.data.customer_email).toBe('joao@example.com');
  });

  it.each(['\u200b', '\u2060\u3164', '\u00ad\u2800 \u200d'])('are no name: %j', async (name) => {
    const { api } = tenant.owner;
    const { link } = await tenant.queue();
    const member = await tenant.member();
    const email = 'invisible@example.com';
    const requests: [string, Promise<Answer>][] = [
      ['name', api.post('/api/v1/users', { name, email, role: 'attendant' })],
      ['name', api.put(`/api/v1/users/${member.id}`, { name })],
      ['name', member.api.put(ME, { name })],
      ['name', api.put('/api/v1/tenant', { name })],
      ['name', api.post('/api/v1/departments', { name })],
      ['name', api.post('/api/v1/customers', { name })],
      ['name', api.post('/api/v1/tags', { name })],
      ['name', api.post('/api/v1/skills', { name })],
      ['name', test.api.post(`/api/v1/call/${link.token}/join`, { name })],
      ['title', api.post('/api/v1/canned-replies', { title: name, text: 'Hi' })],
    ];
    for (const [field, request] of requests) expectFailure(await request, 422, { field });
    const signup: Json = { company_name: name, admin_name: name, admin_email: email, admin_password: NFC };
    const answer = await test.api.post('/api/signup/register', {
      ...signup,
      plan: 'free',
      document: '11.222.333/0001-81',
      document_type: 'cnpj',
    });
    expectFailure(answer, 422, { field: 'company_name' });
    expectFailure(answer, 422, { field: 'admin_name' });
  });

  it('stay in names that are visible', async () => {
    for (const name of ['می\u200cبین', '👩\u200d💻', '\u200bAna']) {
      const answer = await tenant.owner.api.post('/api/v1/tags', { name });
      expect(answer.body.data.name).toBe(name);
    }
  });

  it('and the kind of the dash do not matter in documents', async () => {
    for (const document of ['11.222.333/0001–81', '11.222.333/0001\u221281\u200b']) {
      const answer = await test.api.post('/api/signup/validate-document', {
        document,
        document_type: 'cnpj',
      });
      expect(answer.body.data).toMatchObject({ document: '11222333000181' });
    }
  });
});
