import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectStatus, login, type Member, PASSWORD, TestTenant } from '../support/builders';
import { ensureBuilt } from '../support/service/built-service';
import { expectFailure } from '../support/database/failures';
import { hasLink, linkIn, mailsSettled, tokenIn, tokensTo } from '../support/contexts/password-links';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { parseMail, type ReceivedMail, SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const NEW_PASSWORD = 'another good passphrase';

let peer: SmtpPeer;
let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  peer = await SmtpPeer.start();
  test = await startTestApp({ env: { SMTP_URL: peer.url() } });
  tenant = await TestTenant.register(test);
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

/** A mail with a link for the member, asked for just now. */
async function resetMail({ email }: Pick<Member, 'email'>, from = tenant): Promise<ReceivedMail> {
  await mailsSettled(test);
  const count = () => peer.messagesTo(email).filter(hasLink).length;
  const before = count();
  expectStatus(await test.api.post('/api/auth/forgot-password', { email, tenant: from.slug }), 200);
  await until(() => count() > before);
  return peer.messageTo(email, hasLink);
}

/** What a reader sees of a page or a mail. */
const visible = (html: string): string =>
  html
    .replace(/<head>[^]*<\/head>|<!--[^]*?-->|<[^>]*>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', `'`)
    .replaceAll('&amp;', '&');

const hrefsIn = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
const elementsIn = (html: string) => (html.match(/<!?\/?[a-z]+/gi) ?? []).join(' ');

/** A company in this language with a member who has no password yet. */
async function companyOf(language: string, changes: { company?: string; name?: string } = {}) {
  const company = await TestTenant.register(test);
  const { company: name = 'Padaria Açaí' } = changes;
  expectStatus(await company.owner.api.put('/api/v1/tenant', { language, name }), 200);
  const email = `reader.${company.slug}@example.com`;
  const user = { name: changes.name ?? 'João Conceição', email, role: 'attendant' };
  expectStatus(await company.owner.api.post('/api/v1/users', user), 201);
  return { company, email };
}

const choose = async (mail: ReceivedMail, password: string) =>
  expectStatus(await test.api.post('/api/auth/reset-password', { token: tokenIn(mail), password }), 200);

/** The invitation, the news that another password was chosen than the first, and the link for that. */
async function allMailsOf({
  company,
  email,
}: Awaited<ReturnType<typeof companyOf>>): Promise<ReceivedMail[]> {
  const invitation = await peer.messageTo(email);
  await choose(invitation, `the first ${PASSWORD}`);
  const reset = await resetMail({ email }, company);
  await choose(reset, PASSWORD);
  return [invitation, await peer.messageTo(email, (mail) => !hasLink(mail)), reset];
}

const evil = (who: string) =>
  `<script>alert('${who}')</script> "><img src=x onerror=alert(1)>\r\nBcc: ${who}@evil.example\r\n\r\n<b>$& hi`;

describe('the mails', () => {
  it.each([
    [
      'pt-BR',
      'pt',
      /Olá, João Conceição\./,
      ['Seu acesso a', 'Sua senha foi alterada', 'Redefina sua senha'],
    ],
    [
      'en-GB',
      'en',
      /Hello João Conceição,/,
      ['Your access to', 'Your password was changed', 'Reset your password'],
    ],
  ])('of a company in %s say the same in both forms', async (tag, language, greeting, subjects) => {
    const mails = await allMailsOf(await companyOf(tag));
    for (const [n, { subject, text, html }] of mails.entries()) {
      expect(subject).toContain(subjects[n]);
      expect(subject).toContain('Padaria Açaí');
      expect(text).toMatch(greeting);
      expect(html).toContain(`<html lang="${language}">`);
      const lines = text.split('\n').filter((line) => line !== '');
      expect(lines.length).toBeGreaterThan(3);
      for (const line of lines) expect(visible(html)).toContain(line.replace(/:$/, ''));
    }
    const [invitation, news, reset] = mails as [ReceivedMail, ReceivedMail, ReceivedMail];
    expect([invitation, news, reset].map(hasLink)).toEqual([true, false, true]);
    expect(hrefsIn(news.html)).toEqual([]);
    for (const mail of [invitation, reset]) {
      expect(new Set(hrefsIn(mail.html))).toEqual(new Set([linkIn(mail).href]));
      expect(linkIn(mail).searchParams.get('lang')).toBe(language);
    }
  });

  it('take hostile names for text: no header, no markup and no paragraph comes of them', async () => {
    const company = await companyOf('en', { company: evil('company'), name: evil('name') });
    const mails = await allMailsOf(company);
    const harmless = await allMailsOf(await companyOf('en'));
    for (const [n, { envelope, to, subject, headers, text, html }] of mails.entries()) {
      expect(envelope.to).toEqual([company.email]);
      expect(to).toHaveLength(1);
      expect(Object.keys(headers).sort()).toEqual(Object.keys(harmless[n]?.headers ?? {}).sort());
      expect(subject).toContain('Bcc: company@evil.example');
      expect(elementsIn(html)).toBe(elementsIn(harmless[n]?.html ?? ''));
      expect(text.split('\n')).toHaveLength(harmless[n]?.text.split('\n').length ?? 0);
      expect(visible(html)).toContain(`Hello <script>alert('name')</script>`);
    }
    for (const mail of [mails[0], mails[2]] as ReceivedMail[]) {
      expect(new Set(hrefsIn(mail.html))).toEqual(new Set([linkIn(mail).href]));
    }
  });

  it('show the logo that the company uploaded under its full address', async () => {
    const company = await companyOf('en');
    await test.db.query(`UPDATE tenants SET logo_url = '/api/v1/logos/x/y.png' WHERE id = $1`, [
      company.company.id,
    ]);
    const { html } = await resetMail(company, company.company);
    expect(html).toContain('src="http://localhost:3000/api/v1/logos/x/y.png"');
  });
});

interface Shown {
  status: number;
  headers: Headers;
  html: string;
}

const PATH = '/reset-password';
const FORM = 'application/x-www-form-urlencoded';

async function ask(path: string, request: RequestInit = {}, url = test.url): Promise<Shown> {
  const response = await fetch(url + path, request);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const show = (query: Record<string, string>): Promise<Shown> =>
  ask(`${PATH}?${new URLSearchParams(query).toString()}`);
const submit = ({ lang = 'en', ...form }: Record<string, string>, url = test.url): Promise<Shown> =>
  ask(`${PATH}?lang=${encodeURIComponent(lang)}`, { method: 'POST', body: new URLSearchParams(form) }, url);
const send = (type: string, body: string | Buffer): Promise<Shown> =>
  ask(PATH, { method: 'POST', body: body as never, headers: { 'content-type': type } });

/** Whatever it says, nobody keeps it, and it has nothing that runs. */
function expectPage({ status, headers, html }: Shown, expected: number): void {
  expect(status).toBe(expected);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  const policy = headers.get('content-security-policy') ?? '';
  for (const part of [
    `script-src 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'self'`,
    `base-uri 'self'`,
  ]) {
    expect(policy.split(';')).toContain(part);
  }
  expect(html).toMatch(/^<!doctype html>\n<html lang="(pt|en)">/);
  expect(html).not.toMatch(/<script|\son\w+=|javascript:|https?:\/\//i);
}

const FIELD = /<input id="password" name="password" type="password"/;

/** What the form sends, besides the password, and where to. */
function formIn({ html }: Shown): { action: string; fields: Record<string, string> } {
  const [, action = 'none'] = /<form method="post" action="([^"]*)">/.exec(html) ?? [];
  const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  return { action, fields: Object.fromEntries(hidden.map(([, name, value]) => [name, value])) };
}

const newToken = async (member: Member) => tokenIn(await resetMail(member));

const tryLogin = ({ email }: Member, password: string) =>
  test.api.post('/api/auth/login', { tenant: tenant.slug, email, password });

describe('the page', () => {
  it.each([
    ['pt', 'pt', 'Escolha sua senha', 'Sua senha foi alterada'],
    ['pt-BR', 'pt', 'Escolha sua senha', 'Sua senha foi alterada'],
    ['en', 'en', 'Choose your password', 'Your password was changed'],
    ['tlh', 'en', 'Choose your password', 'Your password was changed'],
  ])('asks for a password in %s and changes it', async (lang, language, title, done) => {
    const member = await tenant.member();
    const token = await newToken(member);
    const page = await show({ token, lang });
    expectPage(page, 200);
    expect(page.html).toContain(`<html lang="${language}">`);
    expect(page.html).toContain(`<h1>${title}</h1>`);
    expect(page.html).toMatch(FIELD);
    expect(page.html).toContain('autocomplete="new-password"');
    expect(formIn(page)).toEqual({ action: `reset-password?lang=${language}`, fields: { token } });
    // Looking uses nothing up.
    expectPage(await show({ token, lang }), 200);

    const answer = await submit({ token, lang, password: NEW_PASSWORD });
    expectPage(answer, 200);
    expect(answer.html).toContain(done);
    expect(answer.html).not.toMatch(/<form/);
    expect(answer.html).not.toContain(token);
    expectStatus(await tryLogin(member, NEW_PASSWORD), 200);
    expectFailure(await member.api.get('/api/v1/users/me'), 401, { code: 'session_ended' });
    const again = await submit({ token, lang, password: PASSWORD });
    expectPage(again, 422);
    expect(again.html).not.toMatch(/<form/);
  });

  it('is where a mailed link leads to', async () => {
    const { pathname, search } = linkIn(await resetMail(await tenant.member()));
    expectPage(await ask(pathname + search), 200);
  });

  it('sends its form to itself, also when it lies below a path', async () => {
    const { action } = formIn(await show({ token: await newToken(await tenant.member()), lang: 'pt' }));
    const page = 'https://example.com/calls/reset-password?token=x&lang=pt';
    expect(new URL(action, page).href).toBe('https://example.com/calls/reset-password?lang=pt');
  });

  it.each([
    ['is missing', ''],
    ['is empty', '?token='],
    ['was made up', `?token=${'A'.repeat(43)}`],
    ['is there twice', '?token=a&token=b'],
    ['is an object', '?token[a]=b'],
    ['has no end', `?token=${'A'.repeat(8000)}`],
    ['has a NUL', '?token=%00'],
    ['is no UTF-8', '?token=%ff%fe&lang=%ff'],
    ['is badly encoded', '?token=%E0%A4%A&lang=%'],
    [
      'is markup',
      `?token=${encodeURIComponent('"><script>alert(1)</script>')}&lang=${encodeURIComponent('"><b>')}`,
    ],
  ])('says that the link is bad when the token %s', async (_what, query) => {
    const page = await ask(PATH + query);
    expectPage(page, 422);
    expect(page.html).toContain('This link is not valid');
    expect(page.html).not.toMatch(/<form|AAAA|alert\(/);
  });

  it('says so of a link that was used, replaced or waited for too long', async () => {
    const member = await tenant.member();
    const [older, used, expired] = [
      await newToken(member),
      await newToken(member),
      await newToken(await tenant.member()),
    ];
    expectPage(await submit({ token: used, password: NEW_PASSWORD }), 200);
    test.clock.advance(1800);
    for (const token of [older, used, expired]) {
      const page = await show({ token, lang: 'pt' });
      expectPage(page, 422);
      expect(page.html).toContain('Este link não é válido, já foi usado ou expirou.');
      expectPage(await submit({ token, lang: 'pt', password: 'yet another password' }), 422);
    }
    expectStatus(await tryLogin(member, NEW_PASSWORD), 200);
  });

  it.each([
    ['pt', 'short', 'Esta senha não pode ser usada. De 8 a 128 caracteres'],
    ['en', 'password', 'This password cannot be used. 8 to 128 characters'],
    ['en', 'x'.repeat(129), 'This password cannot be used. 8 to 128 characters'],
    ['en', '', 'This password cannot be used. 8 to 128 characters'],
  ])('in %s shows the rule to a password like %s, and the token stays good', async (lang, password, rule) => {
    const member = await tenant.member();
    const token = await newToken(member);
    const page = await submit({ token, lang, password });
    expectPage(page, 422);
    expect(visible(page.html)).toContain(rule);
    expect(page.html).toMatch(/<p id="rule" role="alert"/);
    expect(page.html).toMatch(FIELD);
    expect(/<input id="password"[^>]*>/.exec(page.html)?.[0]).not.toContain('value');
    expect(formIn(page)).toEqual({ action: `reset-password?lang=${lang}`, fields: { token } });
    expectPage(await submit({ token, password: NEW_PASSWORD }), 200);
    expectStatus(await tryLogin(member, NEW_PASSWORD), 200);
  });

  it('gives back what was sent as text, not as markup', async () => {
    const token = `"'><script>alert(1)</script>`;
    const page = await submit({ token, lang: '"><script>', password: 'short' });
    expectPage(page, 422);
    expect(visible(page.html)).not.toContain('alert');
  });

  it.each<[string, string, string | Buffer]>([
    ['nothing', FORM, ''],
    ['no type', '', 'token=a'],
    ['a password alone', FORM, 'password=short'],
    ['lists', FORM, 'token=a&token=b&password=c&password=d&lang=e&lang=f'],
    ['objects', FORM, 'token[$ne]=1&password[a]=b&lang[]=pt'],
    ['names of the prototype', FORM, '__proto__[token]=a&constructor=b&hasOwnProperty=c&toString=d'],
    ['a NUL', FORM, 'token=%00&password=%00%00%00%00%00%00%00%00%00&lang=%00'],
    ['no UTF-8', FORM, Buffer.from('token=\xff\xfe&password=\xff\xff\xff\xff\xff\xff\xff\xff\xff', 'latin1')],
    ['no UTF-8 in percents', FORM, 'token=%ff%fe&password=%ff%ff%ff%ff%ff%ff%ff%ff%ff&lang=%ff'],
    ['percents alone', FORM, '%=%&%%=%%%'],
    ['JSON', 'application/json', '{"token":"a","password":"long enough for it","lang":"pt"}'],
    ['JSON of the wrong kinds', 'application/json', '{"token":{"a":1},"password":["x"],"lang":7}'],
    ['a JSON list', 'application/json', '[1,2,3]'],
    ['text', 'text/plain', 'token=a'],
    [
      'a file',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\na\r\n--x--',
    ],
  ])('takes %s for a link that is not valid', async (_what, type, body) => {
    const page = await send(type, body);
    expectPage(page, 422);
    expect(page.html).not.toMatch(/<form/);
  });

  it.each<[string, string, string | Buffer, number]>([
    ['a body without end', FORM, `token=${'a'.repeat(100_000)}`, 413],
    ['fields without end', FORM, 'a&'.repeat(2000), 413],
    ['another charset', `${FORM}; charset=utf-7`, 'token=a', 415],
  ])('refuses %s', async (_what, type, body, status) => {
    const page = await send(type, body);
    expectPage(page, status);
    expect(page.html).not.toMatch(/<form/);
  });

  it('leaves broken JSON to those who refuse it everywhere', async () => {
    expect(await send('application/json', '{"token":')).toMatchObject({ status: 400 });
  });

  it('is also what somebody sees when the database is in trouble', async () => {
    const token = await newToken(await tenant.member());
    await test.db.query('ALTER TABLE password_resets RENAME TO out_of_sight');
    try {
      for (const page of [
        await show({ token, lang: 'pt' }),
        await submit({ token, lang: 'pt', password: NEW_PASSWORD }),
      ]) {
        expectPage(page, 500);
        expect(page.html).toContain('Algo deu errado do nosso lado.');
        expect(page.html).toMatch(FIELD);
        expect(formIn(page)).toEqual({ action: 'reset-password?lang=pt', fields: { token } });
      }
    } finally {
      await test.db.query('ALTER TABLE out_of_sight RENAME TO password_resets');
    }
    expectPage(await submit({ token, password: NEW_PASSWORD }), 200);
  });
});

describe('the log', () => {
  beforeAll(ensureBuilt, 120_000);
  afterAll(stopServices);

  it('has a line for every look at the page, and no token in any line', async () => {
    const member = await tenant.member();
    const env = {
      DATABASE_URL: test.databaseUrl,
      SMTP_URL: peer.url(),
      LOG_LEVEL: 'trace',
      SEED_DEMO: 'false',
    };
    const dataDir = mkdtempSync(join(tmpdir(), 'video-queue-log-'));
    const service = await ServiceProcess.start({ ...env, DATA_DIR: dataDir });
    try {
      const asked = { email: member.email, tenant: tenant.slug };
      expectStatus(await service.api.post('/api/auth/forgot-password', asked), 200);
      const token = await until(() => tokensTo(peer, member.email)[0]);
      expectPage(await ask(`${PATH}?token=${token}&lang=pt`, {}, service.url), 200);
      expectPage(await ask(`${PATH}?lang=pt&TOKEN=${token}`, {}, service.url), 422);
      const form = (password: string) => ({ method: 'POST', body: new URLSearchParams({ token, password }) });
      expectPage(await ask(PATH, form('short'), service.url), 422);
      expectPage(await ask(PATH, form(NEW_PASSWORD), service.url), 200);
      expectFailure(
        await service.api.post('/api/auth/reset-password', { token, password: NEW_PASSWORD }),
        422,
      );
      await service.stop();
      expect(service.output).toContain('"url":"/reset-password?token=[redacted]&lang=pt"');
      expect(service.output.match(/"url":"\/reset-password/g)).toHaveLength(4);
      for (const secret of [token, NEW_PASSWORD, member.email]) expect(service.output).not.toContain(secret);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe('with other settings', () => {
  it('mails lie in DATA_DIR/mail where there is no SMTP server', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'video-queue-mail-'));
    const offline = await startTestApp({ env: { DATA_DIR: dataDir } });
    try {
      const { slug, owner } = await TestTenant.register(offline);
      const { email } = owner;
      expectStatus(await offline.api.post('/api/auth/forgot-password', { email, tenant: slug }), 200);
      const files = () => readdirSync(join(dataDir, 'mail')).filter((name) => name.endsWith('.eml'));
      const [file = ''] = await until(
        () => readdirSync(dataDir).includes('mail') && files().length > 0 && files(),
      );
      const raw = readFileSync(join(dataDir, 'mail', file));
      const mail = await parseMail(raw, { from: '', to: [] });
      expect(mail.to).toEqual([{ name: owner.name, address: email }]);
      const reset = { token: tokenIn(mail), password: NEW_PASSWORD };
      expectStatus(await offline.api.post('/api/auth/reset-password', reset), 200);
      await login(offline, slug, email, NEW_PASSWORD);
    } finally {
      await offline.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it('the page is also what somebody sees who tried too often', async () => {
    const strict = await startTestApp({ env: { SMTP_URL: peer.url(), AUTH_RATE_LIMIT: '2' } });
    try {
      const form = { token: 'x', password: 'y', lang: 'pt' };
      for (let n = 0; n < 2; n++) expectPage(await submit(form, strict.url), 422);
      const page = await submit(form, strict.url);
      expectPage(page, 429);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(page.html).toContain('Tentativas demais');
    } finally {
      await strict.close();
    }
  });
});
