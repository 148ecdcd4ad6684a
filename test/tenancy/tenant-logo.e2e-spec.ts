import { documentedFetch } from '../support/http/documented-fetch';
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
const PUBLIC_URL = 'https://calls.example.com';
const MAX_LOGO_BYTES = 5 * 1024 * 1024;
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { PUBLIC_URL } });
});

afterAll(() => test.close());

const createImage = (width: number, height: number, background = '#ff0000'): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

const png = (background = '#ff0000') => createImage(32, 16, background).png().toBuffer();

async function registerCompany() {
  const tenant = await TestTenant.register(test);
  const { api, token } = await tenant.member('manager');
  return {
    tenant,
    api,
    token,
    send: (...parts: Part[]) => upload(test, LOGO, parts, { token }),
    raw: (type: string, body: string | Uint8Array<ArrayBuffer>) =>
      upload(test, LOGO, [], { token, raw: { type, body } }),
    getSettings: async (): Promise<Json> => (await api.get(TENANT)).body.data,
    /** Uploads a logo and returns its logo_url. */
    async uploadLogo(content: Buffer): Promise<string> {
      const answer = await upload(test, LOGO, [['file', content]], { token });
      expectStatus(answer, 201);
      return answer.body.data.logo_url;
    },
    storedLogos: async () =>
      (await test.db.query('SELECT * FROM tenant_logos WHERE tenant_id = $1', [tenant.id])).rows,
    changedFields: async (): Promise<string[][]> =>
      (
        await test.db.query(
          `SELECT payload FROM domain_events WHERE tenant_id = $1 AND type = 'tenant.updated' ORDER BY id`,
          [tenant.id],
        )
      ).rows.map(({ payload }) => payload.changed),
  };
}

/** Fetches a logo_url as the page of a customer does. */
async function fetchLogo(logoUrl: string, headers: Record<string, string> = {}) {
  const response = await documentedFetch(logoUrl.replace(PUBLIC_URL, test.url), { headers });
  const content = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.includes('json');
  const body: Json = isJson ? JSON.parse(content.toString()) : undefined;
  return { status: response.status, headers: response.headers, content, body };
}

/** A PNG chunk: length, type, content and checksum. */
function chunk(type: string, content: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG of a few bytes whose header declares `side` × `side` pixels. */
function pixelBomb(side: number): Buffer {
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

it('a logo can be changed by managers and owners only', async () => {
  const { tenant, getSettings } = await registerCompany();
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
  expect((await getSettings()).logo_url).toBeNull();
  const { token } = tenant.owner;
  expectStatus(await upload(test, LOGO, [['file', content]], { token }), 201);
  expectStatus(await test.api.delete(LOGO, { token }), 204);
});

describe('uploading a logo', () => {
  it('returns the settings and serves the image at once, without authentication', async () => {
    const { tenant, send, getSettings, storedLogos, changedFields } = await registerCompany();
    const before = await getSettings();
    test.clock.advance(1);
    const answer = await send([
      'file',
      await createImage(1024, 256).jpeg().toBuffer(),
      'logo.jpg',
      'image/jpeg',
    ]);
    expectStatus(answer, 201);
    const { logo_url, updated_at } = answer.body.data;
    expect(answer.body.data).toEqual({ ...before, logo_url, updated_at });
    expect(updated_at > before.updated_at).toBe(true);
    expect(logo_url).toMatch(new RegExp(`^${PUBLIC_URL}/api/v1/logos/${tenant.id}/[0-9a-f]{64}\\.png$`));
    expect(await getSettings()).toEqual(answer.body.data);
    expect(await changedFields()).toEqual([['logo_url']]);

    const shown = await fetchLogo(logo_url);
    expect(shown.status).toBe(200);
    expect(await sharp(shown.content).metadata()).toMatchObject({ format: 'png', width: 512, height: 128 });
    const hash = createHash('sha256').update(shown.content).digest('hex');
    expect(logo_url).toContain(hash);
    expect(await storedLogos()).toMatchObject([{ content: shown.content, content_hash: hash }]);
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
    'accepts a %s, whatever its file name and declared type',
    async (format) => {
      const { send } = await registerCompany();
      const content = await createImage(64, 64)[format]().toBuffer();
      const answer = await send(['file', content, '../../etc/passwd.svg', 'image/svg+xml']);
      expectStatus(answer, 201);
      const { content: shown } = await fetchLogo(answer.body.data.logo_url);
      expect(await sharp(shown).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
    },
  );

  it('applies the orientation of a photo', async () => {
    const { uploadLogo } = await registerCompany();
    const photo = await createImage(40, 20).jpeg().withMetadata({ orientation: 8 }).toBuffer();
    const { content } = await fetchLogo(await uploadLogo(photo));
    const { width, height, orientation, exif } = await sharp(content).metadata();
    expect([width, height, orientation, exif]).toEqual([20, 40, undefined, undefined]);
  });

  it('replaces and deletes the previous logo', async () => {
    const { uploadLogo, storedLogos, changedFields } = await registerCompany();
    const first = await uploadLogo(await png('#00ff00'));
    expect((await fetchLogo(first)).status).toBe(200);
    const second = await uploadLogo(await png('#0000ff'));
    expect(second).not.toBe(first);
    expectFailure(await fetchLogo(first), 404, { code: 'not_found' });
    expect((await fetchLogo(second)).status).toBe(200);
    expect(await storedLogos()).toHaveLength(1);
    expect(await changedFields()).toEqual([['logo_url'], ['logo_url']]);
  });

  it('changes nothing when the image is the same', async () => {
    const { uploadLogo, getSettings, changedFields } = await registerCompany();
    const content = await png();
    const logo_url = await uploadLogo(content);
    const before = await getSettings();
    test.clock.advance(60);
    expect(await uploadLogo(content)).toBe(logo_url);
    expect(await getSettings()).toEqual(before);
    expect(await changedFields()).toHaveLength(1);
  });

  it('stores exactly one logo after concurrent uploads', async () => {
    const { uploadLogo, getSettings, storedLogos } = await registerCompany();
    const pictures = await Promise.all(['#111111', '#222222', '#333333', '#444444'].map(png));
    const urls = await Promise.all(pictures.map(uploadLogo));
    const { logo_url } = await getSettings();
    // A response may name the logo of the upload that came directly after it.
    for (const url of urls)
      expect([url === logo_url, (await fetchLogo(url)).status]).toEqual([
        url === logo_url,
        url === logo_url ? 200 : 404,
      ]);
    expect((await fetchLogo(logo_url)).status).toBe(200);
    expect(await storedLogos()).toHaveLength(1);
  });

  it('does not affect the logos of other tenants', async () => {
    const one = await registerCompany();
    const other = await registerCompany();
    const content = await png();
    const [firstUrl, otherUrl] = [await one.uploadLogo(content), await other.uploadLogo(content)];
    expectStatus(await one.api.delete(LOGO), 204);
    expectFailure(await fetchLogo(firstUrl), 404);
    expect((await fetchLogo(otherUrl)).status).toBe(200);
    expect((await other.getSettings()).logo_url).toBe(otherUrl);
  });
});

describe('logo validation', () => {
  let company: Awaited<ReturnType<typeof registerCompany>>;

  beforeAll(async () => {
    company = await registerCompany();
  });

  const rejectedUploads: [string, number, () => Promise<Part[]>][] = [
    ['an SVG', 422, async () => [['file', SVG, 'logo.svg', 'image/svg+xml']]],
    ['an SVG that is declared as a PNG', 422, async () => [['file', SVG, 'logo.png', 'image/png']]],
    [
      'a TIFF',
      422,
      async () => [['file', await createImage(4, 4).tiff().toBuffer(), 'logo.png', 'image/png']],
    ],
    ['an empty file', 422, async () => [['file', Buffer.alloc(0), 'logo.png', 'image/png']]],
    ['random bytes', 422, async () => [['file', randomBytes(5000), 'logo.png', 'image/png']]],
    [
      'a truncated image',
      422,
      async () => [['file', (await createImage(500, 500).jpeg().toBuffer()).subarray(0, 800)]],
    ],
    ['a decompression bomb', 422, async () => [['file', pixelBomb(30_000)]]],
    ['no file', 422, async () => [['note', 'nothing']]],
    ['a text field instead of a file', 422, async () => [['file', 'a text']]],
    ['a file in another field', 422, async () => [['logo', await png()]]],
    [
      'two files',
      422,
      async () => [
        ['file', await png()],
        ['file', await png()],
      ],
    ],
    [
      'two files in two fields',
      422,
      async () => [
        ['file', await png()],
        ['logo', await png()],
      ],
    ],
    [
      'too many fields',
      400,
      async () => [...Array.from({ length: 50 }, (_, i): Part => [`f${i}`, 'x']), ['file', await png()]],
    ],
    [
      'a deeply nested field name',
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
    ['a file one byte over the limit', 413, async () => [['file', Buffer.alloc(MAX_LOGO_BYTES + 1)]]],
  ];

  it.each(rejectedUploads)('rejects %s with %d', async (_what, status, parts) => {
    const { send, getSettings, storedLogos, changedFields } = company;
    expectFailure(await send(...(await parts())), status);
    expect((await getSettings()).logo_url).toBeNull();
    expect([await storedLogos(), await changedFields()]).toEqual([[], []]);
  });

  it('names the invalid field', async () => {
    const { send } = company;
    const problem = async (...parts: Part[]): Promise<Json> => (await send(...parts)).body.errors.fields;
    expect(await problem(['file', SVG])).toEqual({ file: [expect.stringContaining('PNG')] });
    expect(await problem(['file', pixelBomb(30_000)])).toEqual({
      file: [expect.stringContaining('4 megapixels')],
    });
    expect(await problem()).toEqual({ file: [expect.stringContaining('multipart/form-data')] });
    expect(await problem(['logo', await png()])).toEqual({ logo: [expect.any(String)] });
  });

  it('accepts a file of exactly 5 MiB, and 20 text fields beside the file', async () => {
    const { send } = await registerCompany();
    const small = await png();
    const content = Buffer.concat([small, Buffer.alloc(MAX_LOGO_BYTES - small.length)]);
    const fields = Array.from({ length: 20 }, (_, n): Part => [`field-${n}`, 'text']);
    expectStatus(await send(...fields, ['file', content]), 201);
  });
});

describe('the body of an upload', () => {
  let company: Awaited<ReturnType<typeof registerCompany>>;

  beforeAll(async () => {
    company = await registerCompany();
  });

  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  it.each([
    ['JSON', 'application/json', '{"file": "iVBORw0KGgo="}', 415],
    ['malformed JSON', 'application/json', '{', 400],
    ['an image without a form', 'image/png', 'iVBORw0KGgo=', 415],
    ['a form without files', 'application/x-www-form-urlencoded', 'file=x', 415],
    ['a missing boundary', 'multipart/form-data', `${part}x\r\n--x--`, 400],
    ['an empty boundary', 'multipart/form-data; boundary=', `${part}x\r\n--x--`, 422],
    ['another boundary', 'multipart/form-data; boundary=y', `${part}x\r\n--x--`, 400],
    ['a form that ends in the file', 'multipart/form-data; boundary=x', `${part}half a pict`, 400],
    ['a form that ends in the header', 'multipart/form-data; boundary=x', part.slice(0, 30), 400],
    ['an empty form', 'multipart/form-data; boundary=x', '', 400],
    ['a malformed part header', 'multipart/form-data; boundary=x', '--x\r\n\u0000: \r\n\r\nx\r\n--x--', 400],
    [
      'a part without a name',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x--',
      400,
    ],
    ['another multipart type', 'multipart/mixed; boundary=x', `${part}x\r\n--x--`, 415],
    ['a malformed content type', 'multipart/form-data; boundary', part, 422],
    ['another malformed content type', 'multipart/;', part, 415],
  ])('is rejected: %s (%s)', async (_what, type, body, status) => {
    const { raw, getSettings } = company;
    expectFailure(await raw(type, body), status);
    expect((await getSettings()).logo_url).toBeNull();
  });

  it('is rejected when it is missing', async () => {
    const { api } = await registerCompany();
    expectFailure(await api.post(LOGO), 422, { field: 'file' });
  });

  it('is rejected with 413 when the file exceeds the limit without a Content-Length', async () => {
    const { token } = await registerCompany();
    const head = Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    const block = Buffer.alloc(64 * 1024);
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(head),
      pull: (controller) => {
        sent += block.length;
        if (sent > 20 * 1024 * 1024) controller.close();
        else controller.enqueue(new Uint8Array(block));
      },
    });
    const response = await documentedFetch(test.url + LOGO, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: stream,
      duplex: 'half',
    });
    const answer = { status: response.status, body: await response.json(), headers: response.headers };
    expectFailure(answer, 413, { code: 'payload_too_large' });
  });

  it('does not affect later uploads when the client disconnects', async () => {
    const { token, uploadLogo } = await registerCompany();
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 100_000,
    };
    const leaving = httpRequest(test.url + LOGO, { method: 'POST', headers });
    const gone = new Promise((resolve) => leaving.on('error', resolve));
    leaving.write(`${part}half a pict`, () => leaving.destroy(new Error('gone')));
    await gone;
    expect((await fetchLogo(await uploadLogo(await png()))).status).toBe(200);
  });
});

describe('removing a logo', () => {
  it('deletes the image, by DELETE or by a null', async () => {
    const { api, uploadLogo, getSettings, storedLogos, changedFields } = await registerCompany();
    for (const remove of [() => api.delete(LOGO), () => api.put(TENANT, { logo_url: null })]) {
      const logo_url = await uploadLogo(await png());
      expect((await fetchLogo(logo_url)).status).toBe(200);
      const answer = await remove();
      expect([200, 204]).toContain(answer.status);
      expect((await getSettings()).logo_url).toBeNull();
      expectFailure(await fetchLogo(logo_url), 404);
      expect(await storedLogos()).toEqual([]);
    }
    expect(await changedFields()).toHaveLength(4);
  });

  it('changes nothing when there is none', async () => {
    const { api, getSettings, changedFields } = await registerCompany();
    const before = await getSettings();
    const answer = await api.delete(LOGO);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect([await getSettings(), await changedFields()]).toEqual([before, []]);
  });
});

describe('logo_url in a PUT', () => {
  it('keeps the image when it is unchanged and deletes it when it is another URL', async () => {
    const { api, uploadLogo, getSettings, storedLogos } = await registerCompany();
    const logo_url = await uploadLogo(await png());
    expectStatus(await api.put(TENANT, { ...(await getSettings()), name: 'Renamed' }), 200);
    expect(await getSettings()).toMatchObject({ name: 'Renamed', logo_url });
    expect((await fetchLogo(logo_url)).status).toBe(200);

    const elsewhere = 'https://cdn.example.com/logo.png';
    expect((await api.put(TENANT, { logo_url: elsewhere })).body.data.logo_url).toBe(elsewhere);
    expectFailure(await fetchLogo(logo_url), 404);
    expect(await storedLogos()).toEqual([]);
    // The image is deleted, so its URL is rejected.
    expectFailure(await api.put(TENANT, { logo_url }), 422, { field: 'logo_url' });
    expect((await getSettings()).logo_url).toBe(elsewhere);
  });

  it('cannot name the image of another tenant', async () => {
    const [ownCompany, otherCompany] = [await registerCompany(), await registerCompany()];
    const logo_url = await otherCompany.uploadLogo(await png());
    expectFailure(await ownCompany.api.put(TENANT, { logo_url }), 422, { field: 'logo_url' });
    expectFailure(await ownCompany.api.put(TENANT, { logo_url: logo_url.replace(PUBLIC_URL, '') }), 422);
  });
});

describe('the served image', () => {
  it('can be embedded on any site, is cached as immutable and cannot run scripts', async () => {
    const { uploadLogo } = await registerCompany();
    const logo_url = await uploadLogo(await png());
    const { status, headers, content } = await fetchLogo(logo_url);
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
    const head = await documentedFetch(logo_url.replace(PUBLIC_URL, test.url), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.length)]);
  });

  it('is answered with 304 to a client that has it', async () => {
    const { uploadLogo } = await registerCompany();
    const logo_url = await uploadLogo(await png());
    const etag = (await fetchLogo(logo_url)).headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetchLogo(logo_url, { 'if-none-match': known });
      expect([again.status, again.content.length]).toEqual([304, 0]);
      expect(again.headers.get('etag')).toBe(etag);
    }
    expect((await fetchLogo(logo_url, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is 404 under any other name and 400 for a tenant id that is not a UUID', async () => {
    const { tenant, uploadLogo } = await registerCompany();
    const logo_url = await uploadLogo(await png());
    const base = `${PUBLIC_URL}/api/v1/logos`;
    const file = logo_url.split('/').at(-1) ?? '';
    for (const path of [
      `${tenant.id}/${'0'.repeat(64)}.png`,
      `${tenant.id}/${file.replace('.png', '.svg')}`,
      `${tenant.id}/${file.toUpperCase()}`,
      `${tenant.id}/${file}%00`,
      `${tenant.id}/..%2f${file}`,
      `${tenant.id}/${file}/nothing`,
      `${tenant.id}/nothing`,
      `${someId()}/${file}`,
      `${(await TestTenant.register(test)).id}/${file}`,
    ]) {
      expectFailure(await fetchLogo(`${base}/${path}`), 404, { code: 'not_found' });
    }
    expectFailure(await fetchLogo(`${base}/x/${file}`), 400);
    expect((await fetchLogo(logo_url)).status).toBe(200);
  });

  it('is served from the cache for 10 s', async () => {
    const { tenant, uploadLogo } = await registerCompany();
    const logo_url = await uploadLogo(await png());
    expect((await fetchLogo(logo_url)).status).toBe(200);
    // Deletes the row behind the service's back, so that only its cache still has the logo.
    await test.db.query('DELETE FROM tenant_logos WHERE tenant_id = $1', [tenant.id]);
    for (let request = 0; request < 3; request++) expect((await fetchLogo(logo_url)).status).toBe(200);
    test.clock.advance(11);
    expectFailure(await fetchLogo(logo_url), 404);
  });

  it('of a suspended tenant is 404', async () => {
    const { tenant, uploadLogo } = await registerCompany();
    const logo_url = await uploadLogo(await png());
    expect((await fetchLogo(logo_url)).status).toBe(200);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [tenant.id]);
    test.clock.advance(11);
    expectFailure(await fetchLogo(logo_url), 404, { code: 'not_found' });
    await test.db.query('UPDATE tenants SET suspended_at = NULL WHERE id = $1', [tenant.id]);
    expect((await fetchLogo(logo_url)).status).toBe(200);
  });

  it('reaches the customer, even after PUBLIC_URL changes', async () => {
    const { tenant, uploadLogo, api } = await registerCompany();
    const { link } = await tenant.queue();
    const logo_url = await uploadLogo(await png());
    const shown = async (where: TestApp): Promise<Json> =>
      (await where.api.get(`/api/v1/call/${link.token}/validate`)).body.data.company_logo_url;
    expect(await shown(test)).toBe(logo_url);

    const movedApp = await startTestApp({
      databaseUrl: test.databaseUrl,
      env: { PUBLIC_URL: 'https://new.example.com' },
    });
    try {
      expect(await shown(movedApp)).toBe(logo_url.replace(PUBLIC_URL, 'https://new.example.com'));
    } finally {
      await movedApp.close();
    }
    expectStatus(await api.delete(LOGO), 204);
    expect(await shown(test)).toBeNull();
  });
});
