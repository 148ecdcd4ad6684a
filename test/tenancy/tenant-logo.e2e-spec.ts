import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import type { Json } from '../support/http/api';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { type Part, upload } from '../support/http/multipart';
import { startTestApp, type TestApp } from '../support/test-app';

const TENANT = '/api/v1/tenant';
const LOGO = `${TENANT}/logo`;
const HOME = 'https://calls.example.com';
const LIMIT = 5 * 1024 * 1024;
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { PUBLIC_URL: HOME } });
});

afterAll(() => test.close());

const picture = (width: number, height: number, background = '#ff0000'): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

const png = (background = '#ff0000') => picture(32, 16, background).png().toBuffer();

async function company() {
  const tenant = await TestTenant.register(test);
  const { api, token } = await tenant.member('manager');
  return {
    tenant,
    api,
    token,
    send: (...parts: Part[]) => upload(test, LOGO, parts, { token }),
    raw: (type: string, body: string | Uint8Array<ArrayBuffer>) =>
      upload(test, LOGO, [], { token, raw: { type, body } }),
    settings: async (): Promise<Json> => (await api.get(TENANT)).body.data,
    /** Uploads it and gives logo_url. */
    async logo(content: Buffer): Promise<string> {
      const answer = await upload(test, LOGO, [['file', content]], { token });
      expectStatus(answer, 201);
      return answer.body.data.logo_url;
    },
    stored: async () =>
      (await test.db.query('SELECT * FROM tenant_logos WHERE tenant_id = $1', [tenant.id])).rows,
    changes: async (): Promise<string[][]> =>
      (
        await test.db.query(
          `SELECT payload FROM domain_events WHERE tenant_id = $1 AND type = 'tenant.updated' ORDER BY id`,
          [tenant.id],
        )
      ).rows.map(({ payload }) => payload.changed),
  };
}

/** What a customer's page gets for a logo_url. */
async function show(logoUrl: string, headers: Record<string, string> = {}) {
  const response = await fetch(logoUrl.replace(HOME, test.url), { headers });
  const content = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.includes('json');
  const body: Json = isJson ? JSON.parse(content.toString()) : undefined;
  return { status: response.status, headers: response.headers, content, body };
}

/** One chunk of a PNG: its length, type, content and checksum. */
function chunk(type: string, content: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A picture of a few bytes that claims to be huge. */
function bomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

it('is for managers and above', async () => {
  const { tenant, settings } = await company();
  const content = await png();
  for (const token of [
    undefined,
    (await tenant.member('attendant')).token,
    (await tenant.member('supervisor')).token,
  ]) {
    const status = token ? 403 : 401;
    expectFailure(await upload(test, LOGO, [['file', content]], { token }), status);
    expectFailure(await test.api.delete(LOGO, { token }), status);
  }
  expect((await settings()).logo_url).toBeNull();
  const { token } = tenant.owner;
  expectStatus(await upload(test, LOGO, [['file', content]], { token }), 201);
  expectStatus(await test.api.delete(LOGO, { token }), 204);
});

describe('uploading', () => {
  it('answers the settings and shows the picture at once, to everybody', async () => {
    const { tenant, send, settings, stored, changes } = await company();
    const before = await settings();
    test.clock.advance(1);
    const answer = await send(['file', await picture(1024, 256).jpeg().toBuffer(), 'logo.jpg', 'image/jpeg']);
    expectStatus(answer, 201);
    const { logo_url, updated_at } = answer.body.data;
    expect(answer.body.data).toEqual({ ...before, logo_url, updated_at });
    expect(updated_at > before.updated_at).toBe(true);
    expect(logo_url).toMatch(new RegExp(`^${HOME}/api/v1/logos/${tenant.id}/[0-9a-f]{64}\\.png$`));
    expect(await settings()).toEqual(answer.body.data);
    expect(await changes()).toEqual([['logo_url']]);

    const shown = await show(logo_url);
    expect(shown.status).toBe(200);
    expect(await sharp(shown.content).metadata()).toMatchObject({ format: 'png', width: 512, height: 128 });
    const hash = createHash('sha256').update(shown.content).digest('hex');
    expect(logo_url).toContain(hash);
    expect(await stored()).toMatchObject([{ content: shown.content, content_hash: hash }]);
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
    'takes a %s, whatever its name and type',
    async (format) => {
      const { send } = await company();
      const content = await picture(64, 64)[format]().toBuffer();
      const answer = await send(['file', content, '../../etc/passwd.svg', 'image/svg+xml']);
      expectStatus(answer, 201);
      const { content: shown } = await show(answer.body.data.logo_url);
      expect(await sharp(shown).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
    },
  );

  it('turns a photo upright', async () => {
    const { logo } = await company();
    const photo = await picture(40, 20).jpeg().withMetadata({ orientation: 8 }).toBuffer();
    const { content } = await show(await logo(photo));
    const { width, height, orientation, exif } = await sharp(content).metadata();
    expect([width, height, orientation, exif]).toEqual([20, 40, undefined, undefined]);
  });

  it('replaces the one before, which is gone', async () => {
    const { logo, stored, changes } = await company();
    const first = await logo(await png('#00ff00'));
    expect((await show(first)).status).toBe(200);
    const second = await logo(await png('#0000ff'));
    expect(second).not.toBe(first);
    expectFailure(await show(first), 404, { code: 'not_found' });
    expect((await show(second)).status).toBe(200);
    expect(await stored()).toHaveLength(1);
    expect(await changes()).toEqual([['logo_url'], ['logo_url']]);
  });

  it('changes nothing when it is the same picture', async () => {
    const { logo, settings, changes } = await company();
    const content = await png();
    const logo_url = await logo(content);
    const before = await settings();
    test.clock.advance(60);
    expect(await logo(content)).toBe(logo_url);
    expect(await settings()).toEqual(before);
    expect(await changes()).toHaveLength(1);
  });

  it('ends with one logo that is there, however many come at once', async () => {
    const { logo, settings, stored } = await company();
    const pictures = await Promise.all(['#111111', '#222222', '#333333', '#444444'].map(png));
    const urls = await Promise.all(pictures.map(logo));
    const { logo_url } = await settings();
    // An answer may have the picture that came right after its own.
    for (const url of urls)
      expect([url === logo_url, (await show(url)).status]).toEqual([
        url === logo_url,
        url === logo_url ? 200 : 404,
      ]);
    expect((await show(logo_url)).status).toBe(200);
    expect(await stored()).toHaveLength(1);
  });

  it('leaves the other companies’ logos alone', async () => {
    const one = await company();
    const other = await company();
    const content = await png();
    const [mine, theirs] = [await one.logo(content), await other.logo(content)];
    expectStatus(await one.api.delete(LOGO), 204);
    expectFailure(await show(mine), 404);
    expect((await show(theirs)).status).toBe(200);
    expect((await other.settings()).logo_url).toBe(theirs);
  });
});

describe('a logo is refused', () => {
  let unharmed: Awaited<ReturnType<typeof company>>;

  beforeAll(async () => {
    unharmed = await company();
  });

  const refused: [string, number, () => Promise<Part[]>][] = [
    ['SVG', 422, async () => [['file', SVG, 'logo.svg', 'image/svg+xml']]],
    ['SVG that calls itself PNG', 422, async () => [['file', SVG, 'logo.png', 'image/png']]],
    ['TIFF', 422, async () => [['file', await picture(4, 4).tiff().toBuffer(), 'logo.png', 'image/png']]],
    ['an empty file', 422, async () => [['file', Buffer.alloc(0), 'logo.png', 'image/png']]],
    ['noise', 422, async () => [['file', randomBytes(5000), 'logo.png', 'image/png']]],
    [
      'half a picture',
      422,
      async () => [['file', (await picture(500, 500).jpeg().toBuffer()).subarray(0, 800)]],
    ],
    ['a bomb of pixels', 422, async () => [['file', bomb(30_000)]]],
    ['no file', 422, async () => [['note', 'nothing']]],
    ['a text instead of a file', 422, async () => [['file', 'a text']]],
    ['another field’s file', 422, async () => [['logo', await png()]]],
    [
      'two files',
      422,
      async () => [
        ['file', await png()],
        ['file', await png()],
      ],
    ],
    [
      'two files of two fields',
      422,
      async () => [
        ['file', await png()],
        ['logo', await png()],
      ],
    ],
    [
      'far too many fields',
      400,
      async () => [...Array.from({ length: 50 }, (_, i): Part => [`f${i}`, 'x']), ['file', await png()]],
    ],
    [
      'a name deep in brackets',
      400,
      async () => [
        [`a${'[b]'.repeat(100)}`, 'x'],
        ['file', await png()],
      ],
    ],
    [
      'a field of 1 MB',
      413,
      async () => [
        ['note', 'x'.repeat(1_000_000)],
        ['file', await png()],
      ],
    ],
    ['one byte too much', 413, async () => [['file', Buffer.alloc(LIMIT + 1)]]],
  ];

  it.each(refused)('%s: %d', async (_what, status, parts) => {
    const { send, settings, stored, changes } = unharmed;
    expectFailure(await send(...(await parts())), status);
    expect((await settings()).logo_url).toBeNull();
    expect([await stored(), await changes()]).toEqual([[], []]);
  });

  it('with the field that is wrong', async () => {
    const { send } = unharmed;
    const problem = async (...parts: Part[]): Promise<Json> => (await send(...parts)).body.errors.fields;
    expect(await problem(['file', SVG])).toEqual({ file: [expect.stringContaining('PNG')] });
    expect(await problem(['file', bomb(30_000)])).toEqual({
      file: [expect.stringContaining('40 megapixels')],
    });
    expect(await problem()).toEqual({ file: [expect.stringContaining('multipart/form-data')] });
    expect(await problem(['logo', await png()])).toEqual({ logo: [expect.any(String)] });
  });

  it('not for exactly 5 MiB, nor for a text field beside the file', async () => {
    const { send } = await company();
    const small = await png();
    const content = Buffer.concat([small, Buffer.alloc(LIMIT - small.length)]);
    expectStatus(await send(['csrf', 'token'], ['file', content]), 201);
  });
});

describe('a body that is no proper form is refused', () => {
  let unharmed: Awaited<ReturnType<typeof company>>;

  beforeAll(async () => {
    unharmed = await company();
  });

  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  it.each([
    ['JSON', 'application/json', '{"file": "iVBORw0KGgo="}', 422],
    ['malformed JSON', 'application/json', '{', 400],
    ['a bare picture', 'image/png', 'iVBORw0KGgo=', 422],
    ['a form without files', 'application/x-www-form-urlencoded', 'file=x', 422],
    ['no boundary', 'multipart/form-data', `${part}x\r\n--x--`, 400],
    ['an empty boundary', 'multipart/form-data; boundary=', `${part}x\r\n--x--`, 422],
    ['another boundary', 'multipart/form-data; boundary=y', `${part}x\r\n--x--`, 400],
    ['broken off in the file', 'multipart/form-data; boundary=x', `${part}half a pict`, 400],
    ['broken off in the header', 'multipart/form-data; boundary=x', part.slice(0, 30), 400],
    ['broken off before it began', 'multipart/form-data; boundary=x', '', 400],
    ['a malformed header', 'multipart/form-data; boundary=x', '--x\r\n\u0000: \r\n\r\nx\r\n--x--', 400],
    [
      'no name',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x--',
      400,
    ],
    ['another kind of multipart', 'multipart/mixed; boundary=x', `${part}x\r\n--x--`, 415],
    ['a type that is none', 'multipart/form-data; boundary', part, 422],
    ['another type that is none', 'multipart/;', part, 422],
  ])('%s (%s)', async (_what, type, body, status) => {
    const { raw, settings } = unharmed;
    expectFailure(await raw(type, body), status);
    expect((await settings()).logo_url).toBeNull();
  });

  it('nothing at all', async () => {
    const { api } = await company();
    expectFailure(await api.post(LOGO), 422, { field: 'file' });
  });

  it('a file without an end in sight and without Content-Length is 413', async () => {
    const { token } = await company();
    const head = Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    const piece = Buffer.alloc(64 * 1024);
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(head),
      pull: (controller) => {
        sent += piece.length;
        if (sent > 20 * 1024 * 1024) controller.close();
        else controller.enqueue(new Uint8Array(piece));
      },
    });
    const response = await fetch(test.url + LOGO, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: stream,
      duplex: 'half',
    });
    const answer = { status: response.status, body: await response.json(), headers: response.headers };
    expectFailure(answer, 413, { code: 'payload_too_large' });
  });

  it('a client that goes away in the middle harms nobody', async () => {
    const { token, logo } = await company();
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 100_000,
    };
    const leaving = httpRequest(test.url + LOGO, { method: 'POST', headers });
    const gone = new Promise((resolve) => leaving.on('error', resolve));
    leaving.write(`${part}half a pict`, () => leaving.destroy(new Error('gone')));
    await gone;
    expect((await show(await logo(await png()))).status).toBe(200);
  });
});

describe('removing', () => {
  it('takes the picture away, by DELETE or by a null', async () => {
    const { api, logo, settings, stored, changes } = await company();
    for (const remove of [() => api.delete(LOGO), () => api.put(TENANT, { logo_url: null })]) {
      const logo_url = await logo(await png());
      expect((await show(logo_url)).status).toBe(200);
      const answer = await remove();
      expect([200, 204]).toContain(answer.status);
      expect((await settings()).logo_url).toBeNull();
      expectFailure(await show(logo_url), 404);
      expect(await stored()).toEqual([]);
    }
    expect(await changes()).toHaveLength(4);
  });

  it('of none changes nothing', async () => {
    const { api, settings, changes } = await company();
    const before = await settings();
    const answer = await api.delete(LOGO);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect([await settings(), await changes()]).toEqual([before, []]);
  });
});

describe('logo_url in a PUT', () => {
  it('as it was got keeps the picture; another address replaces it', async () => {
    const { api, logo, settings, stored } = await company();
    const logo_url = await logo(await png());
    expectStatus(await api.put(TENANT, { ...(await settings()), name: 'Renamed' }), 200);
    expect(await settings()).toMatchObject({ name: 'Renamed', logo_url });
    expect((await show(logo_url)).status).toBe(200);

    const elsewhere = 'https://cdn.example.com/logo.png';
    expect((await api.put(TENANT, { logo_url: elsewhere })).body.data.logo_url).toBe(elsewhere);
    expectFailure(await show(logo_url), 404);
    expect(await stored()).toEqual([]);
    // It is gone, so it cannot come back.
    expectFailure(await api.put(TENANT, { logo_url }), 422, { field: 'logo_url' });
    expect((await settings()).logo_url).toBe(elsewhere);
  });

  it('cannot name another company’s picture', async () => {
    const [mine, theirs] = [await company(), await company()];
    const logo_url = await theirs.logo(await png());
    expectFailure(await mine.api.put(TENANT, { logo_url }), 422, { field: 'logo_url' });
    expectFailure(await mine.api.put(TENANT, { logo_url: logo_url.replace(HOME, '') }), 422);
  });
});

describe('the picture', () => {
  it('is for everybody’s pages, for good, and is nothing but a picture', async () => {
    const { logo } = await company();
    const logo_url = await logo(await png());
    const { status, headers, content } = await show(logo_url);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(content.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
    const head = await fetch(logo_url.replace(HOME, test.url), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.length)]);
  });

  it('is not sent to those who have it', async () => {
    const { logo } = await company();
    const logo_url = await logo(await png());
    const etag = (await show(logo_url)).headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await show(logo_url, { 'if-none-match': known });
      expect([again.status, again.content.length]).toEqual([304, 0]);
      expect(again.headers.get('etag')).toBe(etag);
    }
    expect((await show(logo_url, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is 404 under any other name, 400 for a tenant that is no uuid', async () => {
    const { tenant, logo } = await company();
    const logo_url = await logo(await png());
    const base = `${HOME}/api/v1/logos`;
    const file = logo_url.split('/').at(-1) ?? '';
    for (const path of [
      `${tenant.id}/${'0'.repeat(64)}.png`,
      `${tenant.id}/${file.replace('.png', '.svg')}`,
      `${tenant.id}/${file.toUpperCase()}`,
      `${tenant.id}/${file}%00`,
      `${tenant.id}/..%2f${file}`,
      `${tenant.id}/${file}/x`,
      tenant.id,
      `${someId()}/${file}`,
      `${(await TestTenant.register(test)).id}/${file}`,
    ]) {
      expectFailure(await show(`${base}/${path}`), 404, { code: 'not_found' });
    }
    expectFailure(await show(`${base}/x/${file}`), 400);
    expect((await show(logo_url)).status).toBe(200);
  });

  it('comes from memory, whoever asks how often', async () => {
    const { tenant, logo } = await company();
    const logo_url = await logo(await png());
    expect((await show(logo_url)).status).toBe(200);
    // Behind the service's back: only what it remembers can be shown now.
    await test.db.query('DELETE FROM tenant_logos WHERE tenant_id = $1', [tenant.id]);
    for (let times = 0; times < 3; times++) expect((await show(logo_url)).status).toBe(200);
    test.clock.advance(11);
    expectFailure(await show(logo_url), 404);
  });

  it('of a suspended company is not shown', async () => {
    const { tenant, logo } = await company();
    const logo_url = await logo(await png());
    expect((await show(logo_url)).status).toBe(200);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [tenant.id]);
    test.clock.advance(11);
    expectFailure(await show(logo_url), 404, { code: 'not_found' });
    await test.db.query('UPDATE tenants SET suspended_at = NULL WHERE id = $1', [tenant.id]);
    expect((await show(logo_url)).status).toBe(200);
  });

  it('reaches the customer, also when the service moves to another address', async () => {
    const { tenant, logo, api } = await company();
    const { link } = await tenant.queue();
    const logo_url = await logo(await png());
    const shown = async (where: TestApp): Promise<Json> =>
      (await where.api.get(`/api/v1/call/${link.token}/validate`)).body.data.company_logo_url;
    expect(await shown(test)).toBe(logo_url);

    const moved = await startTestApp({
      databaseUrl: test.databaseUrl,
      env: { PUBLIC_URL: 'https://new.example.com' },
    });
    try {
      expect(await shown(moved)).toBe(logo_url.replace(HOME, 'https://new.example.com'));
    } finally {
      await moved.close();
    }
    expectStatus(await api.delete(LOGO), 204);
    expect(await shown(test)).toBeNull();
  });
});
