import { rowsDigest } from '../support/authorisation/rows-digest';
import { expectStatus, TestTenant } from '../support/builders';
import { openPage, visibleText } from '../support/http/page';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});
afterAll(() => test.close());

const change = (settings: object, company = tenant) =>
  company.owner.api.put('/api/v1/tenant', settings).then((answer) => expectStatus(answer, 200));

/** What stands behind a link in a text, and is pasted with it. */
const PASTED = ['.', ')', '>', '%20', '%3E', '%29.', ').', '%0A', ',', '%E2%80%8B', '%'];

describe('the token of a link, with what was pasted behind it', () => {
  it.each(PASTED)('leads to the page, whose address has the token alone: %s', async (pasted) => {
    const { link } = await tenant.queue();
    for (const rest of ['', '?lang=es&resume=1', '/button', '/button?lang=es']) {
      const response = await fetch(`${test.url}/c/${link.token}${pasted}${rest}`, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([302, `/c/${link.token}${rest}`]);
    }
    const page = await openPage(test, `/c/${link.token}${pasted}`);
    expect(page.status).toBe(200);
  });

  it.each(PASTED)('is valid for programs, too: %s', async (pasted) => {
    const { link } = await tenant.queue();
    const validated = await test.api.get(`/api/v1/call/${link.token}${pasted.replace(/%$/, '%25')}/validate`);
    expectStatus(validated, 200);
    expect(validated.body.data.valid).toBe(true);
    const path = `/api/v1/call/${link.token}${pasted.replace(/%$/, '%25')}/join`;
    expectStatus(await test.api.post(path, { name: 'Ana' }), 200);
    const redirected = await fetch(`${test.url}/call/${link.token}${pasted}`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    expect(redirected.headers.get('location')).toBe(`/c/${link.token}`);
  });

  it('stays invalid with a letter, and without a token', async () => {
    const { link } = await tenant.queue();
    for (const path of [`${link.token}x`, `${link.token}.x`, '.', '%20', '-', '...)'])
      expect((await openPage(test, `/c/${path}`)).status).toBe(404);
  });
});

describe('the page of a link', () => {
  it('shows the company, the department, the line and the form before a script runs', async () => {
    const { department, link } = await tenant.queue({ name: 'Suporte Técnico' });
    await tenant.join(link);
    const page = await openPage(test, `/c/${link.token}`);
    expect(page.status).toBe(200);
    const text = visibleText(page.content);
    for (const shown of [tenant.name, department.name, 'Open', '1 person']) expect(text).toContain(shown);
    for (const id of ['join-name', 'join-email', 'join-phone', 'join-reason', 'join-submit', 'language'])
      expect(page.content).toContain(`data-testid="${id}"`);
  });

  it('has the data that validating the link answers', async () => {
    const { link } = await tenant.queue();
    const [page, validated] = await Promise.all([
      openPage(test, `/c/${link.token}`),
      test.api.get(`/api/v1/call/${link.token}/validate`),
    ]);
    expect(page.data).toEqual({
      token: link.token,
      language: 'en',
      link: validated.body.data,
      error: null,
      company: { name: tenant.name, logo_url: null },
      timezone: 'America/Sao_Paulo',
      colors: { accent: '#2563eb', on_accent: '#ffffff', accent_dark: '#366fed', on_accent_dark: '#000000' },
      sites: [],
      grace_seconds: 60,
      absence_seconds: 360_000_000,
      version: expect.stringMatching(/^[\w-]{12}$/),
    });
  });

  it.each([
    ['pt-BR,pt;q=0.9', '', 'pt', 'Seu nome'],
    ['es-MX', '', 'es', 'Su nombre'],
    ['en-US,pt;q=0.5', '', 'en', 'Your name'],
    ['pt-BR', '?lang=es', 'es', 'Su nombre'],
  ])('is in the language of %s%s', async (accepted, query, language, text) => {
    const { link } = await tenant.queue();
    const page = await openPage(test, `/c/${link.token}${query}`, { 'accept-language': accepted });
    expect(page.html).toContain(`<html lang="${language}">`);
    expect(page.data.language).toBe(language);
    expect(visibleText(page.content)).toContain(text);
  });

  it("is in the company's language for readers of other languages", async () => {
    const { link } = await tenant.queue();
    const page = await openPage(test, `/c/${link.token}`, { 'accept-language': 'de' });
    expect(page.data.language).toBe('pt');
  });

  it('shows when a closed department opens', async () => {
    const opening_hours = { weekly: { mon: [['09:00', '18:00']] } };
    const { link } = await tenant.queue({ opening_hours });
    const now = test.clock.now();
    // Sunday
    test.clock.advance((Date.UTC(2027, 0, 3, 15) - now.getTime()) / 1000);
    try {
      const page = await openPage(test, `/c/${link.token}`);
      expect(page.status).toBe(200);
      expect(page.data.link).toMatchObject({ open: false, opens_at: '2027-01-04T12:00:00.000Z' });
      expect(visibleText(page.content)).toMatch(/9:00/);
      expect(page.content).not.toContain('join-name');
    } finally {
      test.clock.reset();
    }
  });

  it("previews with the company's name only, and loads files of the build", async () => {
    const { link } = await tenant.queue({ name: 'Secret Department' });
    const { html } = await openPage(test, `/c/${link.token}`);
    const head = /<head>[^]*<\/head>/.exec(html)?.[0] ?? '';
    expect(head).toContain(`<title>${tenant.name}</title>`);
    expect(head).toContain(`<meta property="og:title" content="${tenant.name}">`);
    expect(head).not.toContain('Secret Department');
    expect(head).toContain('<link rel="icon" href="data:image/svg+xml,');
    expect(html).toContain('<noscript>');
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
    expect(files.some((path) => path?.endsWith('.js'))).toBe(true);
    for (const path of files) expect((await fetch(`${test.url}${path}`)).status).toBe(200);
  });

  it('keeps names of companies out of its markup and its script', async () => {
    const hostile = `</script><img src=x onerror=alert(1)> "'&`;
    const other = await TestTenant.register(test);
    await change({ name: hostile }, other);
    const { link } = await other.queue({ name: `<b onclick="x">${hostile}` });
    const { html, data } = await openPage(test, `/c/${link.token}`);
    expect(html).not.toContain('<img');
    expect(html).not.toContain('<b ');
    expect(html.match(/<\/script>/g)).toHaveLength(3);
    expect(data.company.name).toBe(hostile);
    expect(visibleText(/<title>([^]*?)<\/title>/.exec(html)?.[1] ?? '')).toBe(hostile);
  });

  it('changes nothing', async () => {
    const { link } = await tenant.queue();
    const before = await rowsDigest(test.db, tenant.id);
    await openPage(test, `/c/${link.token}`);
    await openPage(test, `/c/${link.token}?lang=es`);
    expect(await rowsDigest(test.db, tenant.id)).toEqual(before);
  });
});
