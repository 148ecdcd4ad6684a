import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectStatus, login, type Member, PASSWORD, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { hasLink, linkIn, waitForMails, tokenIn } from '../support/contexts/password-links';
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

/** Requests a password link for the member and returns its mail. */
async function requestResetMail({ email }: Pick<Member, 'email'>, from = tenant): Promise<ReceivedMail> {
  await waitForMails(test);
  const count = () => peer.messagesTo(email).filter(hasLink).length;
  const before = count();
  expectStatus(await test.api.post('/api/auth/forgot-password', { email, tenant: from.slug }), 200);
  await until(() => count() > before);
  return peer.messageTo(email, hasLink);
}

/** The visible text of a page or a mail. */
const visibleText = (html: string): string =>
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

/** Registers a tenant with this language and creates a user without a password. */
async function companyOf(language: string, changes: { company?: string; name?: string } = {}) {
  const company = await TestTenant.register(test);
  const { company: name = 'Padaria Açaí' } = changes;
  expectStatus(await company.owner.api.put('/api/v1/tenant', { language, name }), 200);
  const email = `reader.${company.slug}@example.com`;
  const user = { name: changes.name ?? 'João Conceição', email, role: 'attendant' };
  expectStatus(await company.owner.api.post('/api/v1/users', user), 201);
  return { company, email };
}

const choosePassword = async (mail: ReceivedMail, password: string) =>
  expectStatus(await test.api.post('/api/auth/reset-password', { token: tokenIn(mail), password }), 200);

/** The invitation, the notice of a changed password and the password link of a user. */
async function allMailsOf({
  company,
  email,
}: Awaited<ReturnType<typeof companyOf>>): Promise<ReceivedMail[]> {
  const invitation = await peer.messageTo(email);
  await choosePassword(invitation, `the first ${PASSWORD}`);
  const reset = await requestResetMail({ email }, company);
  await choosePassword(reset, PASSWORD);
  return [invitation, await peer.messageTo(email, (mail) => !hasLink(mail)), reset];
}

const hostileName = (recipient: string) =>
  `<script>alert('${recipient}')</script> "><img src=x onerror=alert(1)>\r\nBcc: ${recipient}@evil.example\r\n\r\n<b>$& hi`;

describe('the mails', () => {
  it.each([
    ['pt-BR', 'pt', /Olá, João\./, ['Seu acesso a', 'Sua senha foi alterada', 'Redefina sua senha']],
    ['en-GB', 'en', /Hello João,/, ['Your access to', 'Your password was changed', 'Reset your password']],
    ['es-MX', 'es', /Hola, João:/, ['Su acceso a', 'Su contraseña ha cambiado', 'Restablezca su contraseña']],
  ])(
    'of a tenant with language %s have the same content as text and as HTML',
    async (tag, language, greeting, subjects) => {
      const mails = await allMailsOf(await companyOf(tag));
      for (const [n, { subject, text, html }] of mails.entries()) {
        expect(subject).toContain(subjects[n]);
        expect(subject).toContain('Padaria Açaí');
        expect(text).toMatch(greeting);
        expect(html).toContain(`<html lang="${language}">`);
        const lines = text.split('\n').filter((line) => line !== '');
        expect(lines.length).toBeGreaterThan(3);
        for (const line of lines) expect(visibleText(html)).toContain(line.replace(/:$/, ''));
      }
      const [invitation, news, reset] = mails as [ReceivedMail, ReceivedMail, ReceivedMail];
      expect([invitation, news, reset].map(hasLink)).toEqual([true, false, true]);
      expect(hrefsIn(news.html)).toEqual([]);
      for (const mail of [invitation, reset]) {
        expect(new Set(hrefsIn(mail.html))).toEqual(new Set([linkIn(mail).href]));
        expect(linkIn(mail).searchParams.get('lang')).toBe(language);
      }
    },
  );

  it('escape hostile names, which add no header, markup or paragraph', async () => {
    const company = await companyOf('en', { company: hostileName('company'), name: hostileName('name') });
    const mails = await allMailsOf(company);
    const harmless = await allMailsOf(await companyOf('en'));
    for (const [n, { envelope, to, subject, headers, text, html }] of mails.entries()) {
      expect(envelope.to).toEqual([company.email]);
      expect(to).toHaveLength(1);
      expect(Object.keys(headers).sort()).toEqual(Object.keys(harmless[n]?.headers ?? {}).sort());
      expect(subject).toContain('Bcc: company@evil.example');
      expect(elementsIn(html)).toBe(elementsIn(harmless[n]?.html ?? ''));
      expect(text.split('\n')).toHaveLength(harmless[n]?.text.split('\n').length ?? 0);
      expect(visibleText(html)).toContain('Hello,');
      expect(visibleText(html)).toContain(`<script>alert('company')</script>`);
    }
    for (const mail of [mails[0], mails[2]] as ReceivedMail[]) {
      expect(new Set(hrefsIn(mail.html))).toEqual(new Set([linkIn(mail).href]));
    }
  });

  it('contain the absolute URL of an uploaded logo', async () => {
    const company = await companyOf('en');
    await test.db.query(`UPDATE tenants SET logo_url = '/api/v1/logos/x/y.png' WHERE id = $1`, [
      company.company.id,
    ]);
    const { html } = await requestResetMail(company, company.company);
    expect(html).toContain('src="http://localhost:3000/api/v1/logos/x/y.png"');
  });
});

interface Page {
  status: number;
  headers: Headers;
  html: string;
}

const PAGE_PATH = '/reset-password';
const FORM = 'application/x-www-form-urlencoded';

async function fetchPage(path: string, request: RequestInit = {}, url = test.url): Promise<Page> {
  const response = await fetch(url + path, request);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const showForm = (query: Record<string, string>): Promise<Page> =>
  fetchPage(`${PAGE_PATH}?${new URLSearchParams(query).toString()}`);
const submit = ({ lang = 'en', ...form }: Record<string, string>, url = test.url): Promise<Page> =>
  fetchPage(
    `${PAGE_PATH}?lang=${encodeURIComponent(lang)}`,
    { method: 'POST', body: new URLSearchParams(form) },
    url,
  );
const sendBody = (type: string, body: string | Buffer): Promise<Page> =>
  fetchPage(PAGE_PATH, { method: 'POST', body: body as never, headers: { 'content-type': type } });

/** Expects an HTML page with this status that is not cached and contains no scripts. */
function expectPage({ status, headers, html }: Page, expected: number): void {
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
  expect(html).toMatch(/^<!doctype html>\n<html lang="(pt|en|es)">/);
  expect(html).not.toMatch(/<script|\son\w+=|javascript:|https?:\/\//i);
}

const FIELD = /<input id="password" name="password" type="password"/;

/** The action and the hidden fields of the form. */
function formIn({ html }: Page): { action: string; fields: Record<string, string> } {
  const [, action = 'none'] = /<form method="post" action="([^"]*)">/.exec(html) ?? [];
  const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  return { action, fields: Object.fromEntries(hidden.map(([, name, value]) => [name, value])) };
}

const newToken = async (member: Member) => tokenIn(await requestResetMail(member));

const tryLogin = ({ email }: Member, password: string) =>
  test.api.post('/api/auth/login', { tenant: tenant.slug, email, password });

describe('the password page', () => {
  it.each(['senha%E9segura', 'senha%segura', Buffer.from('senha\xe9segura', 'latin1')])(
    'refuses a form that is not UTF-8: %s',
    async (password) => {
      const member = await tenant.member();
      const token = await newToken(member);
      const form = Buffer.concat([Buffer.from(`token=${token}&password=`), Buffer.from(password)]);
      expect((await sendBody(FORM, form)).status).toBe(400);
      expectPage(await submit({ token, password: 'senhaésegura' }), 200);
      expectStatus(await tryLogin(member, 'senhaésegura'), 200);
    },
  );

  it.each(['.', ')', '> ', ').', '\u200b'])(
    'takes the token with what was pasted behind it: %j',
    async (pasted) => {
      const member = await tenant.member();
      const token = await newToken(member);
      const page = await showForm({ token: token + pasted });
      expectPage(page, 200);
      expect(formIn(page).fields).toEqual({ token });
      expectPage(await showForm({ token: `${token}x` }), 422);
      const reset = { token: token + pasted, password: NEW_PASSWORD };
      expectStatus(await test.api.post('/api/auth/reset-password', reset), 200);
      expectStatus(await tryLogin(member, NEW_PASSWORD), 200);
    },
  );

  it.each([
    ['pt', 'pt', 'Escolha sua senha', 'Sua senha foi alterada'],
    ['pt-BR', 'pt', 'Escolha sua senha', 'Sua senha foi alterada'],
    ['en', 'en', 'Choose your password', 'Your password was changed'],
    ['es', 'es', 'Elija su contraseña', 'Su contraseña ha cambiado'],
    ['tlh', 'en', 'Choose your password', 'Your password was changed'],
  ])('has a form in %s that changes the password', async (lang, language, title, done) => {
    const member = await tenant.member();
    const token = await newToken(member);
    const page = await showForm({ token, lang });
    expectPage(page, 200);
    expect(page.html).toContain(`<html lang="${language}">`);
    expect(page.html).toContain(`<h1>${title}</h1>`);
    expect(page.html).toMatch(FIELD);
    expect(page.html).toContain('autocomplete="new-password"');
    expect(formIn(page)).toEqual({ action: `reset-password?lang=${language}`, fields: { token } });
    // Opening the page does not use up the token.
    expectPage(await showForm({ token, lang }), 200);

    const answer = await submit({ token, lang, password: NEW_PASSWORD });
    expectPage(answer, 200);
    expect(answer.html).toContain(done);
    expect(hrefsIn(answer.html)).toEqual([`console?tenant=${tenant.slug}`]);
    expect(answer.html).not.toMatch(/<form/);
    expect(answer.html).not.toContain(token);
    expectStatus(await tryLogin(member, NEW_PASSWORD), 200);
    expectFailure(await member.api.get('/api/v1/users/me'), 401, { code: 'session_ended' });
    const again = await submit({ token, lang, password: PASSWORD });
    expectPage(again, 422);
    expect(hrefsIn(again.html)).toEqual(['console?forgotten']);
    expect(again.html).not.toMatch(/<form/);
  });

  it('is the target of a mailed link', async () => {
    const { pathname, search } = linkIn(await requestResetMail(await tenant.member()));
    expectPage(await fetchPage(pathname + search), 200);
  });

  it('submits its form to itself, even below a path', async () => {
    const { action } = formIn(await showForm({ token: await newToken(await tenant.member()), lang: 'pt' }));
    const page = 'https://example.com/calls/reset-password?token=x&lang=pt';
    expect(new URL(action, page).href).toBe('https://example.com/calls/reset-password?lang=pt');
  });

  it.each([
    ['is missing', ''],
    ['is empty', '?token='],
    ['was made up', `?token=${'A'.repeat(43)}`],
    ['is given twice', '?token=a&token=b'],
    ['is an object', '?token[a]=b'],
    ['is too long', `?token=${'A'.repeat(8000)}`],
    ['has a NUL', '?token=%00'],
    ['is not UTF-8', '?token=%ff%fe&lang=%ff'],
    ['is badly encoded', '?token=%E0%A4%A&lang=%'],
    [
      'is markup',
      `?token=${encodeURIComponent('"><script>alert(1)</script>')}&lang=${encodeURIComponent('"><b>')}`,
    ],
  ])('reports an invalid link when the token %s', async (_what, query) => {
    const page = await fetchPage(PAGE_PATH + query);
    expectPage(page, 422);
    expect(page.html).toContain('This link is not valid');
    expect(page.html).not.toMatch(/<form|AAAA|alert\(/);
  });

  it('reports an invalid link that was used, replaced or expired', async () => {
    const member = await tenant.member();
    const [older, used, expired] = [
      await newToken(member),
      await newToken(member),
      await newToken(await tenant.member()),
    ];
    expectPage(await submit({ token: used, password: NEW_PASSWORD }), 200);
    test.clock.advance(1800);
    for (const token of [older, used, expired]) {
      const page = await showForm({ token, lang: 'pt' });
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
  ])(
    'in %s explains the rule for a password like %s and keeps the token valid',
    async (lang, password, rule) => {
      const member = await tenant.member();
      const token = await newToken(member);
      const page = await submit({ token, lang, password });
      expectPage(page, 422);
      expect(visibleText(page.html)).toContain(rule);
      expect(page.html).toMatch(/<p id="rule" role="alert"/);
      expect(page.html).toMatch(FIELD);
      expect(/<input id="password"[^>]*>/.exec(page.html)?.[0]).not.toContain('value');
      expect(formIn(page)).toEqual({ action: `reset-password?lang=${lang}`, fields: { token } });
      expectPage(await submit({ token, password: NEW_PASSWORD }), 200);
      expectStatus(await tryLogin(member, NEW_PASSWORD), 200);
    },
  );

  it('escapes the submitted values', async () => {
    const token = `"'><script>alert(1)</script>`;
    const page = await submit({ token, lang: '"><script>', password: 'short' });
    expectPage(page, 422);
    expect(visibleText(page.html)).not.toContain('alert');
  });

  it.each<[string, string, string | Buffer]>([
    ['nothing', FORM, ''],
    ['only a password', FORM, 'password=short'],
    ['lists', FORM, 'token=a&token=b&password=c&password=d&lang=e&lang=f'],
    ['objects', FORM, 'token[$ne]=1&password[a]=b&lang[]=pt'],
    [
      'names of Object.prototype members',
      FORM,
      '__proto__[token]=a&constructor=b&hasOwnProperty=c&toString=d',
    ],
    ['a NUL', FORM, 'token=%00&password=%00%00%00%00%00%00%00%00%00&lang=%00'],
    ['JSON', 'application/json', '{"token":"a","password":"long enough for it","lang":"pt"}'],
    ['JSON with wrong types', 'application/json', '{"token":{"a":1},"password":["x"],"lang":7}'],
    ['a JSON list', 'application/json', '[1,2,3]'],
  ])('treats %s as an invalid link', async (_what, type, body) => {
    const page = await sendBody(type, body);
    expectPage(page, 422);
    expect(page.html).not.toMatch(/<form/);
  });

  it.each<[string, string, string | Buffer, number]>([
    [
      'bytes that are not UTF-8',
      FORM,
      Buffer.from('token=\xff\xfe&password=\xff\xff\xff\xff\xff\xff\xff\xff\xff', 'latin1'),
      400,
    ],
    [
      'percent-encoded bytes that are not UTF-8',
      FORM,
      'token=%ff%fe&password=%ff%ff%ff%ff%ff%ff%ff%ff%ff&lang=%ff',
      400,
    ],
    ['only percent signs', FORM, '%=%&%%=%%%', 400],
    ['a body that is too long', FORM, `token=${'a'.repeat(100_000)}`, 413],
    ['too many fields', FORM, 'a&'.repeat(2000), 413],
    ['another charset', `${FORM}; charset=utf-7`, 'token=a', 415],
    ['no content type', '', 'token=a', 415],
    ['text', 'text/plain', 'token=a', 415],
    [
      'a file',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\na\r\n--x--',
      415,
    ],
  ])('rejects %s', async (_what, type, body, status) => {
    const page = await sendBody(type, body);
    expectPage(page, status);
    expect(page.html).not.toMatch(/<form/);
  });

  it('answers malformed JSON like every other route', async () => {
    expect(await sendBody('application/json', '{"token":')).toMatchObject({ status: 400 });
  });

  it('shows a database error with status 500 and keeps the form', async () => {
    const token = await newToken(await tenant.member());
    await test.db.query('ALTER TABLE password_resets RENAME TO out_of_sight');
    try {
      for (const page of [
        await showForm({ token, lang: 'pt' }),
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

describe('with other settings', () => {
  it('mails are written to DATA_DIR/mail without an SMTP server', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'video-queue-mail-'));
    const offlineApp = await startTestApp({ env: { DATA_DIR: dataDir } });
    try {
      const { slug, owner } = await TestTenant.register(offlineApp);
      const { email } = owner;
      expectStatus(await offlineApp.api.post('/api/auth/forgot-password', { email, tenant: slug }), 200);
      const files = () => readdirSync(join(dataDir, 'mail')).filter((name) => name.endsWith('.eml'));
      const [file = ''] = await until(
        () => readdirSync(dataDir).includes('mail') && files().length > 0 && files(),
      );
      const raw = readFileSync(join(dataDir, 'mail', file));
      const mail = await parseMail(raw, { from: '', to: [] });
      expect(mail.to).toEqual([{ name: owner.name.split(' ')[0], address: email }]);
      const reset = { token: tokenIn(mail), password: NEW_PASSWORD };
      expectStatus(await offlineApp.api.post('/api/auth/reset-password', reset), 200);
      await login(offlineApp, slug, email, NEW_PASSWORD);
    } finally {
      await offlineApp.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it('the page shows that the rate limit is exceeded', async () => {
    const strictApp = await startTestApp({ env: { SMTP_URL: peer.url(), AUTH_RATE_LIMIT: '2' } });
    try {
      const form = { token: 'x', password: 'y', lang: 'pt' };
      for (let n = 0; n < 2; n++) expectPage(await submit(form, strictApp.url), 422);
      const page = await submit(form, strictApp.url);
      expectPage(page, 429);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(page.html).toContain('Tentativas demais');
    } finally {
      await strictApp.close();
    }
  });
});
