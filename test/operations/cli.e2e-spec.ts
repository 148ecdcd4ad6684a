import { cnpj, cpf } from 'cpf-cnpj-validator';
import type { Json } from '../support/http/api';
import { auditedAbout } from '../support/contexts/audit-rows';
import { expectStatus, login, PASSWORD, someId, TestTenant } from '../support/builders';
import { ensureBuilt } from '../support/service/built-service';
import { Operator } from '../support/service/cli';
import { expectFailure } from '../support/database/failures';
import { enrol, logIn } from '../support/contexts/mfa';
import { hasLink, countValidLinks, tokenIn } from '../support/contexts/password-links';
import { waitUntilApplied } from '../support/peers/payment-gateway';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { closingSockets } from '../support/sockets/connect-sockets';
import { GATEWAY_TOKEN } from '../support/authorisation/tenant-data';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

let peer: SmtpPeer;
let test: TestApp;
let operator: Operator;

beforeAll(async () => {
  await ensureBuilt();
  peer = await SmtpPeer.start();
  test = await startTestApp({ env: { SMTP_URL: peer.url(), ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN } });
  operator = new Operator(test);
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

const sockets = closingSockets(() => test.url);

let counter = 0;

/** Arguments of `tenant create`; null omits an option. */
function newTenant(changes: Record<string, string | null> = {}) {
  const number = ++counter;
  const options: Record<string, string | null> = {
    name: `Acme ${number}`,
    document: cnpj.generate(),
    'document-type': 'cnpj',
    'admin-name': 'Olga Owner',
    'admin-email': `olga${number}@example.com`,
    ...changes,
  };
  const args = Object.entries(options).flatMap(([name, value]) =>
    value === null ? [] : [`--${name}`, value],
  );
  return { args: ['tenant', 'create', ...args], email: options['admin-email'] ?? '' };
}

const subscriptionOf = async (id: string): Promise<Json> => {
  const { rows } = await test.db.query('SELECT plan, status FROM subscriptions WHERE tenant_id = $1', [id]);
  return rows[0];
};

const actionsAbout = async (id: string): Promise<[string, unknown][]> =>
  (await auditedAbout(test, id)).map(({ action, user_id }) => [action, user_id]);

describe('tenant create', () => {
  it('creates a tenant whose owner logs in with the password from standard input', async () => {
    const { args, email } = newTenant();
    const created = await operator.json([...args, '--password-stdin'], `${PASSWORD}\n`);
    expect(created).toEqual({
      tenant: { id: expect.any(String), name: `Acme ${counter}`, slug: `acme-${counter}` },
      user: { id: expect.any(String), name: 'Olga Owner', email, role: 'owner' },
      subscription: { plan: 'free', status: 'active' },
      invited: false,
    });
    const owner = await login(test, created.tenant.slug, email);
    expect(owner.id).toBe(created.user.id);
  });

  it('lets the running service invite an owner without a password', async () => {
    const { args, email } = newTenant({ plan: 'basic' });
    const created = await operator.json(args);
    expect(created).toMatchObject({ subscription: { plan: 'basic', status: 'pending' }, invited: true });
    const mail = await peer.messageTo(email, hasLink);
    const chosen = { token: tokenIn(mail), password: PASSWORD };
    expectStatus(await test.api.post('/api/auth/reset-password', chosen), 200);
    await login(test, created.tenant.slug, email);
  });

  it('activates the plan immediately with --active', async () => {
    const { args } = newTenant({ plan: 'professional' });
    const created = await operator.json([...args, '--active']);
    expect(created.subscription).toEqual({ plan: 'professional', status: 'active' });
    expect(await subscriptionOf(created.tenant.id)).toEqual(created.subscription);
  });

  it('prints what it created', async () => {
    const { args, email } = newTenant({ 'document-type': 'cpf', document: cpf.generate(true) });
    const output = await operator.run(args);
    expect(output).toMatch(
      new RegExp(
        `^Created acme-${counter}: [0-9a-f-]{36}\nPlan free, active\nThe running service sends ${email} `,
      ),
    );
  });

  it.each<[string, Record<string, string | null>, string[], string, RegExp]>([
    ['an option is missing', { 'admin-email': null }, [], '', /required option '--admin-email <address>'/],
    ['a password is an argument', { password: PASSWORD }, [], '', /unknown option '--password'/],
    [
      'values are invalid',
      { 'admin-email': 'olga', name: ' ', plan: 'gold' },
      [],
      '',
      /^error: --name must not be empty; --admin-email must be an e-mail address; --plan must be one of: free, basic/m,
    ],
    [
      'the password is too short',
      {},
      ['--password-stdin'],
      'short\n',
      /^error: the password must have at least 8 characters/m,
    ],
    [
      'standard input has no password',
      {},
      ['--password-stdin'],
      '\n',
      /^error: standard input has no password$/m,
    ],
  ])('prints its usage and creates nothing when %s', async (_why, changes, more, input, message) => {
    const { args, email } = newTenant(changes);
    const { code, stdout, stderr } = await operator.tryRun([...args, ...more], input);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^Usage: cli tenant create \[options\]$/m);
    expect((await test.db.query('SELECT FROM users WHERE email = $1', [email])).rows).toEqual([]);
  });

  it('rejects an invalid or used document with one line and creates nothing', async () => {
    const document = cnpj.generate();
    await operator.run(newTenant({ document }).args);
    for (const [bad, message] of [
      [document, '--document is already in use\n'],
      ['11.222.333/0001-82', '--document is not a valid CNPJ\n'],
    ] as const) {
      const { args, email } = newTenant({ document: bad });
      expect(await operator.tryRun(args)).toMatchObject({ code: 1, stdout: '', stderr: message });
      expect((await test.db.query('SELECT FROM users WHERE email = $1', [email])).rows).toEqual([]);
    }
  });
});

describe('tenant list and show', () => {
  it('lists all tenants, or those that match --search', async () => {
    const [one, other] = [await TestTenant.register(test, 'free'), await TestTenant.register(test, 'basic')];
    await one.member();
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [other.id]);
    const all: Json[] = await operator.json(['tenant', 'list']);
    expect(all.find(({ id }) => id === one.id)).toEqual({
      id: one.id,
      slug: one.slug,
      name: one.name,
      plan: 'free',
      status: 'active',
      suspended: false,
      users: 2,
      inserted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(all.find(({ id }) => id === other.id)).toMatchObject({ plan: 'basic', suspended: true, users: 1 });

    const lines = (await operator.run(['tenant', 'list', '--search', other.slug.toUpperCase()])).split('\n');
    expect(lines[0]).toMatch(/^id +slug +name +plan +status +suspended +users +inserted_at$/);
    expect(lines.slice(1).filter((line) => line.includes(other.id))).toHaveLength(1);
    expect(lines.join()).not.toContain(one.id);
    expect(await operator.run(['tenant', 'list', '--search', '%'])).toBe('No tenants.\n');
  });

  it('shows the plan, its usage and the owners', async () => {
    const tenant = await TestTenant.register(test, 'basic');
    const { link } = await tenant.queue();
    await tenant.join(link);
    const second = await tenant.member('owner');
    await tenant.member('manager');
    const { data: plan } = (await tenant.owner.api.get('/api/v1/billing/plan')).body;
    expect(plan.usage).toMatchObject({ active_users: 3, active_departments: 1, calls_this_month: 1 });

    for (const which of [tenant.slug.toUpperCase(), tenant.id]) {
      const shown = await operator.json(['tenant', 'show', which]);
      expect(shown).toMatchObject({ id: tenant.id, slug: tenant.slug, suspended_at: null, ...plan });
      expect(shown.owners).toEqual(
        [tenant.owner, second].map(({ id, name, email }) => ({ id, name, email, active: true })),
      );
    }
    const output = await operator.run(['tenant', 'show', tenant.slug]);
    expect(output).toMatch(/^usage\.calls_this_month +1$/m);
    expect(output).toContain(second.email);
  });

  it('removes control characters from names', async () => {
    const { args } = newTenant({ name: 'Evil \u001b[2J\u0007Corp' });
    await operator.run(args);
    const output = await operator.run(['tenant', 'list', '--search', 'Evil']);
    expect(output).toContain('Evil [2J Corp');
  });
});

const setPlan = (tenant: TestTenant, plan: string, ...more: string[]): Promise<Json> =>
  operator.json(['tenant', 'set-plan', tenant.slug, plan, ...more]);

describe('tenant set-plan', () => {
  it('activates the plan, and the running service applies it immediately', async () => {
    const tenant = await TestTenant.register(test, 'free');
    expect(await setPlan(tenant, 'advanced')).toEqual({
      tenant: tenant.slug,
      before: { plan: 'free', status: 'active' },
      after: { plan: 'advanced', status: 'active' },
      above_limits: [],
    });
    const { data } = (await tenant.owner.api.get('/api/v1/billing/plan')).body;
    expect(data).toMatchObject({ plan: 'advanced', status: 'active', max_users: 25 });
    const actions = await actionsAbout(tenant.id);
    expect(actions).toContainEqual(['subscription.updated', null]);
    // Setting the same plan again changes and grants nothing.
    await setPlan(tenant, 'advanced');
    expect(await actionsAbout(tenant.id)).toEqual(actions);
    const granted = await test.db.query('SELECT FROM gateway_events WHERE tenant_id = $1', [tenant.id]);
    expect(granted.rowCount).toBe(1);
  });

  it('sets the subscription to pending with --pending', async () => {
    const tenant = await TestTenant.register(test, 'free');
    const { after } = await setPlan(tenant, 'basic', '--pending');
    expect(after).toEqual({ plan: 'basic', status: 'pending' });
    const { data } = (await tenant.owner.api.get('/api/v1/billing/plan')).body;
    expect(data).toMatchObject({ plan: 'basic', status: 'pending', max_users: 2 });
    const output = await operator.run(['tenant', 'set-plan', tenant.id, 'basic']);
    expect(output).toBe(`${tenant.slug}: basic, pending → basic, active\n`);
  });

  it('keeps and reports what exceeds the limits of a smaller plan', async () => {
    const tenant = await TestTenant.register(test);
    await tenant.department();
    await tenant.department();
    await tenant.member();
    await tenant.member();
    const change = await setPlan(tenant, 'free');
    expect(change.after).toEqual({ plan: 'free', status: 'active' });
    expect(change.above_limits).toEqual([
      { figure: 'active_users', used: 3, limit: 2 },
      { figure: 'active_departments', used: 2, limit: 1 },
    ]);
    const output = await operator.run(['tenant', 'set-plan', tenant.slug, 'free']);
    expect(output).toContain('It has 3 active users, but the limit is 2');
    expect((await tenant.owner.api.get('/api/v1/users')).body.data).toHaveLength(3);
    expectFailure(await tenant.owner.api.post('/api/v1/departments', { name: 'One more' }), 403, {
      code: 'plan_limit',
    });
  });

  it('rejects an unknown plan and names the valid ones', async () => {
    const { code, stderr } = await operator.tryRun(['tenant', 'set-plan', 'demo', 'gold']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: the plan must be one of free, basic, advanced, professional, enterprise\n/,
    );
    expect(stderr).toContain('Usage: cli tenant set-plan [options] <tenant> <plan>');
  });
});

describe('tenant suspend and resume', () => {
  it('lock a tenant out of a running service and let it in again', async () => {
    const tenant = await TestTenant.register(test);
    const { owner, slug } = tenant;
    const { link } = await tenant.queue();
    const other = await TestTenant.register(test);
    const bystander = await sockets.connect(other.owner.token);
    const socket = await sockets.connect(owner.token);
    const me = () => owner.api.get('/api/v1/users/me');
    const tryLogin = () =>
      test.api.post('/api/auth/login', { tenant: slug, email: owner.email, password: PASSWORD });
    const validate = () => test.api.get(`/api/v1/call/${link.token}/validate`);
    const join = () => test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Eva' });
    expectStatus(await me(), 200);

    const suspended = await operator.json(['tenant', 'suspend', slug]);
    expect(suspended).toEqual({ tenant: slug, suspended: true, changed: true });
    expectFailure(await tryLogin(), 403, { code: 'tenant_suspended' });
    expectFailure(await validate(), 404, { code: 'tenant_suspended' });
    expectFailure(await join(), 404, { code: 'tenant_suspended' });
    await until(async () => (await me()).status === 401 && socket.io.disconnected);
    expectFailure(await me(), 401, { code: 'session_ended' });
    expect(bystander.io.connected).toBe(true);
    expectStatus(await other.owner.api.get('/api/v1/users/me'), 200);

    expect(await operator.run(['tenant', 'suspend', tenant.id])).toBe(
      `${slug} was already suspended; nothing changed.\n`,
    );
    expect(await operator.json(['tenant', 'resume', slug])).toEqual({
      tenant: slug,
      suspended: false,
      changed: true,
    });
    expect(await operator.run(['tenant', 'resume', slug])).toBe(
      `${slug} was not suspended; nothing changed.\n`,
    );
    expectStatus(await tryLogin(), 200);
    expectStatus(await validate(), 200);
    expectStatus(await join(), 200);
    // The session did not end; only its tenant was suspended.
    expectStatus(await me(), 200);
    await sockets.connect(owner.token);
    expect((await actionsAbout(tenant.id)).filter(([action]) => action.startsWith('tenant.'))).toEqual([
      ['tenant.resumed', null],
      ['tenant.suspended', null],
    ]);
  });
});

describe('user reset-mfa', () => {
  it('lets an only owner log in without the lost second factor and ends their sessions', async () => {
    const tenant = await TestTenant.register(test);
    const { owner, slug } = tenant;
    await enrol(test, owner);
    const begin = () => logIn(test, tenant, owner);
    expect((await begin()).body).toMatchObject({ mfa_required: true });

    const reset = ['user', 'reset-mfa', slug, owner.email];
    expect(await operator.run(reset)).toMatch(/password alone/);
    expect((await begin()).body).toMatchObject({ user: { id: owner.id } });
    await until(async () => (await owner.api.get('/api/v1/users/me')).status === 401);
    expect(await actionsAbout(owner.id)).toContainEqual(['user.mfa_disabled', null]);
    expect(await operator.json(reset)).toMatchObject({ changed: false });
    expect((await operator.tryRun(['user', 'reset-mfa', slug, 'nobody@example.com'])).code).toBe(1);
  });
});

const printLink = (which: string, email: string) =>
  operator.tryRun(['user', 'reset-password', which, email, '--print-link']);

describe('user reset-password', () => {
  it('lets the running service mail a link', async () => {
    const tenant = await TestTenant.register(test);
    const member = await tenant.member();
    const output = await operator.run(['user', 'reset-password', tenant.slug, member.email.toUpperCase()]);
    expect(output).toMatch(new RegExp(`^The running service sends ${member.email} a link`));
    const mail = await peer.messageTo(member.email, hasLink);
    const chosen = { token: tokenIn(mail), password: 'my own good passphrase' };
    expectStatus(await test.api.post('/api/auth/reset-password', chosen), 200);
    await login(test, tenant.slug, member.email, chosen.password);
  });

  it('prints a link that is valid once for 30 minutes, and mails nothing', async () => {
    const tenant = await TestTenant.register(test);
    const member = await tenant.member();
    const reset = ['user', 'reset-password', tenant.slug, member.email, '--print-link'];
    const { url, expires_at } = await operator.json(reset);
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 1_800_000)).toBeLessThan(60_000);
    const printed = new URL((await operator.run(reset)).trim());
    expect(printed.origin + printed.pathname).toBe('https://calls.example.com/reset-password');
    const choose = (link: URL, password: string) =>
      test.api.post('/api/auth/reset-password', { token: link.searchParams.get('token'), password });
    expectStatus(await choose(printed, 'my own good passphrase'), 200);
    // Choosing a password invalidates every other link.
    expectFailure(await choose(new URL(url), 'another good passphrase'), 422, { code: 'invalid_token' });
    await login(test, tenant.slug, member.email, 'my own good passphrase');
    expect(peer.messagesTo(member.email).filter(hasLink)).toEqual([]);
  });

  it('explains why it fails and changes nothing', async () => {
    const tenant = await TestTenant.register(test);
    const [member, gone] = [await tenant.member(), await tenant.member()];
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${gone.id}`, { active: false }), 200);
    const other = await TestTenant.register(test);
    for (const [which, email, message] of [
      [other.slug, member.email, `The tenant ${other.slug} has no user with the e-mail ${member.email}.`],
      [tenant.slug, gone.email, `${gone.email} is not active, or the tenant ${tenant.slug} is suspended.`],
    ] as const) {
      expect(await printLink(which, email)).toMatchObject({ code: 1, stdout: '', stderr: `${message}\n` });
    }
    await test.db.query(
      `INSERT INTO password_resets (tenant_id, user_id, token_hash, expires_at)
       SELECT $1, $2, gen_random_uuid()::text, now() + interval '1 hour' FROM generate_series(1, 5)`,
      [tenant.id, member.id],
    );
    expect((await printLink(tenant.slug, member.email)).stderr).toBe(
      `${member.email} already has five valid links.\n`,
    );
    expect(await countValidLinks(test, member.id)).toBe(5);
    expect(await countValidLinks(test, gone.id)).toBe(0);
  });
});

describe('gateway replay', () => {
  it('recomputes subscriptions from the stored notifications', async () => {
    const [one, other] = [await TestTenant.register(test, 'free'), await TestTenant.register(test, 'free')];
    for (const { id } of [one, other]) {
      const paid = {
        id: `evt_${someId()}`,
        event: 'PAYMENT_CONFIRMED',
        dateCreated: '2026-06-12 16:45:03',
        payment: { id: `pay_${someId()}`, externalReference: id },
      };
      const headers = { 'asaas-access-token': GATEWAY_TOKEN };
      expectStatus(await test.api.post('/api/webhooks/asaas', paid, { headers }), 200);
    }
    // One that is applied later would change the subscription again.
    await waitUntilApplied(test);
    // Simulates notifications that were classified incorrectly.
    await test.db.query(`UPDATE gateway_events SET kind = 'other' WHERE tenant_id = ANY ($1)`, [
      [one.id, other.id],
    ]);
    await test.db.query(
      `UPDATE subscriptions SET plan = 'basic', status = 'pending' WHERE tenant_id = ANY ($1)`,
      [[one.id, other.id]],
    );
    const replayed = await operator.json(['gateway', 'replay', '--tenant', one.slug]);
    expect(replayed).toEqual({ notifications: expect.any(Number), tenants: 1 });
    expect(replayed.notifications).toBeGreaterThanOrEqual(1);
    expect(await subscriptionOf(one.id)).toEqual({ plan: 'basic', status: 'active' });
    expect(await subscriptionOf(other.id)).toEqual({ plan: 'basic', status: 'pending' });

    const output = await operator.run(['gateway', 'replay']);
    expect(output).toMatch(/^Notifications read: \d+\nTenants recomputed: \d+\n$/);
    expect(await subscriptionOf(other.id)).toEqual({ plan: 'basic', status: 'active' });
    expect((await operator.tryRun(['gateway', 'replay', '--tenant', 'nowhere'])).stderr).toBe(
      'There is no tenant with the slug nowhere.\n',
    );
  });
});

describe('every command', () => {
  it.each([
    ['tenant', 'show'],
    ['tenant', 'set-plan', 'basic'],
    ['tenant', 'erase', '--confirm', 'x'],
  ])('%s %s reports an unknown tenant in one line', async (group, command, ...rest) => {
    expect(await operator.tryRun([group, command, 'no-such-tenant', ...rest])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There is no tenant with the slug no-such-tenant.\n',
    });
  });

  it.each([
    ['', 'Usage: cli [options] [command]'],
    ['companies', "error: unknown command 'companies'"],
    ['tenant bogus', "error: unknown command 'bogus'"],
    ['tenant show', "error: missing required argument 'tenant'"],
    ['tenant show one two', 'error: too many arguments'],
    ['tenant erase one', "error: required option '--confirm <slug>' not specified"],
  ])('"%s" is answered with the usage without connecting to the database', async (line, message) => {
    const offline = new Operator(test, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
    const { code, stdout, stderr } = await offline.tryRun(line.split(' ').filter(Boolean));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain('Usage: cli');
  });

  it('prints its help with --help', async () => {
    const offline = new Operator(test, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
    for (const [line, ...words] of [
      ['--help', 'tenant', 'user', 'gateway', 'hold'],
      ['tenant --help', 'create', 'list', 'show', 'set-plan', 'suspend', 'resume', 'erase'],
      ['tenant create --help', '--document-type', '--password-stdin', '--active'],
    ] as const) {
      const help = await offline.run(line.split(' '));
      for (const word of words) expect(help).toContain(word);
    }
  });
});

/** A row of the audit log about a hold. */
const holdChange = (action: string, customer_id: string | null) => ({
  action: `legal_hold.${action}`,
  user_id: null,
  details: { customer_id },
});

describe('hold', () => {
  it('keeps a customer, then the whole tenant, from being erased until it is released', async () => {
    const tenant = await TestTenant.register(test);
    const { slug, owner } = tenant;
    const created = await owner.api.post('/api/v1/customers', { name: 'Carla' });
    const customer: string = created.body.data.id;
    const erase = () => owner.api.post(`/api/v1/customers/${customer}/erase`);
    const ofCustomer = [slug, '--customer', customer];
    const reason = ['--reason', 'Case 7'];

    expect(await operator.run(['hold', 'add', ...ofCustomer, ...reason])).toBe(
      `From now on the data of customer ${customer} of ${slug} is held.\n`,
    );
    expect(await operator.json(['hold', 'add', ...ofCustomer, '--reason', 'Again'])).toMatchObject({
      changed: false,
    });
    expectFailure(await erase(), 422, { code: 'legal_hold' });
    expectFailure(await owner.api.delete(`/api/v1/customers/${customer}`), 422, { code: 'legal_hold' });
    const other = (await owner.api.post('/api/v1/customers', { name: 'Carla' })).body.data.id;
    const merge = { primary_id: other, duplicate_ids: [customer] };
    expectFailure(await owner.api.post('/api/v1/customers/merge', merge), 422, { code: 'legal_hold' });
    expect(await operator.json(['hold', 'list', slug])).toMatchObject([
      { tenant: slug, customer_id: customer, reason: 'Case 7' },
    ]);
    const refused = {
      code: 1,
      stdout: '',
      stderr: `Nothing was deleted: ${slug} is under a legal hold; see hold list ${slug}.\n`,
    };
    const eraseTenant = ['tenant', 'erase', slug, '--confirm', slug];
    expect(await operator.tryRun(eraseTenant)).toMatchObject(refused);

    await operator.run(['hold', 'release', ...ofCustomer]);
    await operator.run(['hold', 'add', slug, ...reason]);
    // A hold of the tenant covers its customers, too.
    expectFailure(await erase(), 422, { code: 'legal_hold' });
    expect(await operator.tryRun(eraseTenant)).toMatchObject(refused);

    await operator.run(['hold', 'release', slug]);
    expectStatus(await erase(), 200);
    expect(await operator.run(['hold', 'list', slug])).toBe('There are no legal holds.\n');
    const { rows } = await test.db.query(
      `SELECT action, user_id, details FROM audit_log WHERE tenant_id = $1 AND subject_type = 'legal_hold'
       ORDER BY inserted_at`,
      [tenant.id],
    );
    expect(rows).toEqual([
      holdChange('added', customer),
      holdChange('released', customer),
      holdChange('added', null),
      holdChange('released', null),
    ]);
  });

  it('names what does not exist', async () => {
    const { slug } = await TestTenant.register(test);
    for (const id of [someId(), 'no-id']) {
      expect(await operator.tryRun(['hold', 'add', slug, '--customer', id, '--reason', 'x'])).toMatchObject({
        code: 1,
        stderr: `The tenant has no customer with the id ${id}.\n`,
      });
    }
    expect(await operator.tryRun(['hold', 'release', slug])).toMatchObject({
      code: 1,
      stderr: `There is no such legal hold; "hold list ${slug}" shows those that exist.\n`,
    });
  });
});
