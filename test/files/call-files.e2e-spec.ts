import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { connect as netConnect } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { Database } from '../../src/platform/database/database';
import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import type { Answer, Json } from '../support/http/api';
import { actionsOf, auditedAbout } from '../support/contexts/audit-rows';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { type Part, upload } from '../support/http/multipart';
import { BOUNDARY, PART_END } from '../support/http/raw-upload';
import { callRow, eventsOf } from '../support/database/rows';
import { closingSockets } from '../support/sockets/connect-sockets';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const TEXT = 'text/plain; charset=utf-8';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let link: Json;
const storage = new StorageFolder();
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await startTestApp({ env: { ...storage.env, QUEUE_ABSENCE_SECONDS: '36000' } });
  tenant = await TestTenant.register(test);
  ({ link } = await tenant.queue({ max_queue_size: 1000 }));
  agent = await tenant.member('attendant');
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

const newCall = async (): Promise<string> => (await tenant.join(link)).call_id;

const uploadParts = (callId: string, parts: Part[], who: Member = agent): Promise<Answer> =>
  upload(test, `/api/v1/calls/${callId}/upload`, parts, { token: who.token });

/** Uploads the content and returns the file of the response. */
async function uploadFile(callId: string, content: Buffer, name = 'file.bin', type?: string): Promise<Json> {
  const answer = await uploadParts(callId, [['file', content, name, type]]);
  expectStatus(answer, 201);
  return answer.body.data;
}

interface Download {
  status: number;
  headers: IncomingHttpHeaders;
  content: Buffer;
}

/** Downloads with the raw HTTP client, because fetch adds headers and handles ranges and caching itself. */
function get(
  url: string,
  headers: Record<string, string> = {},
  { method = 'GET', who = agent }: { method?: string; who?: Member | null } = {},
): Promise<Download> {
  const authorization = who ? { authorization: `Bearer ${who.token}` } : {};
  return new Promise((resolve, reject) => {
    const request = httpRequest(test.url + url, { method, headers: { ...authorization, ...headers } });
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject).on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          content: Buffer.concat(chunks),
        }),
      );
    });
    request.end();
  });
}

const listFiles = async (callId: string, query = ''): Promise<Json> => {
  const answer = await agent.api.get(`/api/v1/calls/${callId}/files${query}`);
  expectStatus(answer, 200);
  return answer.body;
};

/** The paths of all files of calls in the storage. */
const storedFiles = (): string[] =>
  readdirSync(storage.path, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('/files/'));

const fileRow = async (id: string): Promise<Json> =>
  (await test.db.query('SELECT * FROM call_files WHERE id = $1', [id])).rows[0];

const objectRow = async (key: string): Promise<Json> =>
  (await test.db.query('SELECT * FROM stored_objects WHERE key = $1', [key])).rows[0];

describe('uploading', () => {
  it('stores the content unchanged, and the response describes it', async () => {
    const callId = await newCall();
    const content = randomBytes(200_000);
    const answer = await uploadParts(callId, [['file', content, 'dump.bin', 'image/png']]);
    expectStatus(answer, 201);
    const { id } = answer.body.data;
    const url = `/api/v1/calls/${callId}/files/${id}`;
    expect(answer.body).toEqual({
      data: { id, filename: 'dump.bin', content_type: 'image/png', size: 200_000, url },
    });
    const stored = await fileRow(id);
    expect(stored).toMatchObject({
      tenant_id: tenant.id,
      call_id: callId,
      uploaded_by: agent.id,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(stored.storage_key).toMatch(new RegExp(`^${tenant.id}/files/`));
    expect(readFileSync(join(storage.path, stored.storage_key))).toEqual(content);
    expect(await objectRow(stored.storage_key)).toMatchObject({ tenant_id: tenant.id, discard_at: null });
    expect((await get(url)).content).toEqual(content);
  });

  it('notifies staff, records domain events and is audited in the same transaction', async () => {
    const callId = await newCall();
    const { version } = await callRow(test, callId);
    const socket = await connect(tenant.owner.token);
    const { id } = await uploadFile(callId, Buffer.from('a'));
    await socket.waitFor('call_updated', (news) => news.call_id === callId && news.version === version + 1);
    expect(await eventsOf(test, callId)).toEqual(['call.queued', 'call.updated']);
    expect(await eventsOf(test, id)).toEqual(['call_file.uploaded']);
    const audited = await auditedAbout(test, id);
    expect(actionsOf(audited)).toEqual(['call_file.uploaded']);
    expect(audited[0]).toMatchObject({
      user_id: agent.id,
      subject_type: 'call_file',
      details: { call_id: callId },
    });
  });

  it('accepts the same file twice, and additional text fields', async () => {
    const callId = await newCall();
    const part: Part = ['file', Buffer.from('once'), 'once.txt'];
    expectStatus(await uploadParts(callId, [part]), 201);
    expectStatus(await uploadParts(callId, [['note', 'again'], part]), 201);
    expect((await listFiles(callId)).data).toHaveLength(2);
  });

  it('adds a file once if its upload is repeated with its key, even while the first one is running', async () => {
    const callId = await newCall();
    const contentsBefore = storedFiles().length;
    const send = (key: string, part: Part = ['file', Buffer.from('signed'), 'contract.txt'], who = agent) =>
      upload(test, `/api/v1/calls/${callId}/upload`, [part], { token: who.token, key });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('first')));
    for (const answer of answers) expectStatus(answer, 201);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(answers[0]?.body.data).toMatchObject({ filename: 'contract.txt', size: 6 });
    expect((await callRow(test, callId)).version).toBe(2);
    for (const part of [
      ['file', Buffer.from('sealed'), 'contract.txt'],
      ['file', Buffer.from('signed'), 'copy.txt'],
    ] satisfies Part[]) {
      expectFailure(await send('first', part), 422, { code: 'idempotency_key_reused' });
    }
    // The keys of others, and of other calls, are others.
    expectStatus(await send('first', undefined, tenant.owner), 201);
    expectStatus(await send('second'), 201);
    expect((await listFiles(callId)).data).toHaveLength(3);
    // The contents of repeated uploads are discarded.
    await until(async () => storedFiles().length === contentsBefore + 3);
  });

  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
  ])('rejects a key that is %s before the file has arrived', async (_what, key) => {
    const path = `/api/v1/calls/${await newCall()}/upload`;
    const answer = await answerToHead(path, {
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': '1000',
      'Idempotency-Key': key,
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('"bad_request"');
  });

  it('accepts files for a completed call', async () => {
    const callId = await newCall();
    expectStatus(await agent.api.post(`/api/v1/calls/${callId}/complete`), 200);
    await uploadFile(callId, Buffer.from('late'));
    expect((await listFiles(callId)).data).toHaveLength(1);
  });

  it('accepts many concurrent files for one call', async () => {
    const callId = await newCall();
    const contents = Array.from({ length: 20 }, (_, index) => Buffer.alloc(50_000 + index, index));
    const answers = await Promise.all(contents.map((content) => uploadFile(callId, content)));
    const { data, meta } = await listFiles(callId);
    expect(meta.total_count).toBe(20);
    expect(new Set(data.map(({ id }: Json) => id))).toEqual(new Set(answers.map(({ id }) => id)));
    for (const [index, { url }] of answers.entries()) {
      expect((await get(url)).content.equals(contents[index] as Buffer)).toBe(true);
    }
    expect(await callRow(test, callId)).toMatchObject({ version: 21 });
  });
});

describe('file names', () => {
  it.each([
    ['contract.pdf', 'contract.pdf', 'attachment; filename=contract.pdf'],
    [
      'Relatório nº 7.txt',
      'Relatório nº 7.txt',
      `attachment; filename="Relat?rio n? 7.txt"; filename*=UTF-8''Relat%C3%B3rio%20n%C2%BA%207.txt`,
    ],
    ['写真.txt', '写真.txt', `attachment; filename="??.txt"; filename*=UTF-8''%E5%86%99%E7%9C%9F.txt`],
    // Names that other programs have broken.
    [
      'Relat\ufffdrio.txt',
      'Relat\ufffdrio.txt',
      `attachment; filename="Relat?rio.txt"; filename*=UTF-8''Relat%EF%BF%BDrio.txt`,
    ],
    [
      '\ufffd"\ufffd".txt',
      '\ufffd"\ufffd".txt',
      String.raw`attachment; filename="?\"?\".txt"; filename*=UTF-8''%EF%BF%BD%22%EF%BF%BD%22.txt`,
    ],
    ['a "b".txt', 'a "b".txt', String.raw`attachment; filename="a \"b\".txt"`],
    ['../../etc/passwd', 'passwd', 'attachment; filename=passwd'],
    ['C:\\photos\\x.png', 'x.png', 'attachment; filename=x.png'],
    ['..', 'file', 'attachment; filename=file'],
    ['folder/', 'file', 'attachment; filename=file'],
    ['a\r\nX-Evil: 1.txt', 'aX-Evil: 1.txt', 'attachment; filename="aX-Evil: 1.txt"'],
  ])('%j becomes %j', async (name, kept, disposition) => {
    const { filename, url } = await uploadFile(await newCall(), Buffer.from('text'), name);
    expect(filename).toBe(kept);
    const { headers } = await get(url);
    expect(headers['content-disposition']?.replaceAll(/[^\x20-\x7e]/g, '?')).toBe(disposition);
    expect(headers['x-evil']).toBeUndefined();
  });

  it('in another encoding than UTF-8 are refused, and nothing is stored', async () => {
    const callId = await newCall();
    const before = storage.files();
    const contents = ['text', '\xef\xbf\xbd', 'x'.repeat(200_000)];
    const parameters = ['filename="caf\xe9.txt"', "filename*=UTF-8''caf%E9.txt"];
    for (const [parameter, content] of parameters.flatMap((name) => contents.map((text) => [name, text]))) {
      const answer = await fetch(`${test.url}/api/v1/calls/${callId}/upload`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${agent.token}`,
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        },
        body: new Uint8Array(
          Buffer.from(
            `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; ${parameter}\r\n\r\n${content}${PART_END}`,
            'latin1',
          ),
        ),
      });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { errors: { code: 'bad_request', detail: 'The name of the file must be encoded in UTF-8.' } },
      ]);
    }
    await until(() => storage.files().length === before.length);
    expect((await listFiles(callId)).data).toEqual([]);
  });

  it('never become part of a path', async () => {
    const callId = await newCall();
    const before = storage.files();
    const { id } = await uploadFile(callId, Buffer.from('x'), '../../../../outside.txt');
    const { storage_key } = await fileRow(id);
    expect(storage.files().filter((file) => !before.includes(file))).toEqual([storage_key]);
    expect(storage_key).not.toContain('outside');
  });
});

describe('the content type of a file', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const attachments: [string, string, string, string][] = [
    ['SVG declared as PNG', svg, 'photo.png', 'image/png'],
    ['SVG with an XML declaration', `<?xml version="1.0"?>${svg}`, 'photo.png', 'application/xml'],
    ['HTML declared as PNG', '<!doctype html><script>alert(1)</script>', 'photo.png', 'image/png'],
    ['a script', 'alert(document.cookie)', 'x.js', 'image/png'],
    ['a PDF', '%PDF-1.7\n', 'x.png', 'application/pdf'],
    ['a ZIP', `PK\u0003\u0004${'\0'.repeat(30)}`, 'x.png', 'application/zip'],
    ['binary data', '\u0000\u0001\u0002', 'x.png', 'image/png'],
  ];

  it.each(attachments)('%s is sent as an attachment', async (_what, content, name, type) => {
    const { url, content_type } = await uploadFile(await newCall(), Buffer.from(content), name, 'image/png');
    const { headers, content: got } = await get(url);
    expect(got.toString()).toBe(content);
    expect(content_type).toBe(type);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename=${name}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['text/csv', 'a,b\n', 'text/csv', 'text/csv; charset=utf-8'],
    ['text/html', '<!doctype html><script>alert(1)</script>', 'text/html', 'application/octet-stream'],
    ['image/svg+xml', svg, 'image/svg+xml', 'application/octet-stream'],
    ['text/javascript', 'alert(1)', 'text/javascript', 'application/octet-stream'],
    ['video/mp4', 'no video', 'video/mp4', 'video/mp4'],
    ['application/octet-stream', 'some text', TEXT, TEXT],
    ['nonsense', 'some text', TEXT, TEXT],
    ['text/plain', Buffer.from('Olá', 'latin1'), 'text/plain', TEXT],
    ['text/plain', Buffer.from([0, 1, 0xff]), 'application/octet-stream', 'application/octet-stream'],
  ])(
    '%s is reported as declared without a signature, and sent as an attachment',
    async (declared, content, type, sent) => {
      const callId = await newCall();
      const file = await uploadFile(callId, Buffer.from(content), 'x.bin', declared);
      expect(file.content_type).toBe(type);
      expect((await listFiles(callId)).data[0].content_type).toBe(type);
      const { headers } = await get(file.url);
      expect(headers).toMatchObject({
        'content-type': sent,
        'content-disposition': 'attachment; filename=x.bin',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
    },
  );

  it('is detected in the field recording, too', async () => {
    const answer = await uploadParts(await newCall(), [['recording', Buffer.from('%PDF-1.7\n'), 'a.pdf']]);
    expectStatus(answer, 201);
    expect(answer.body.data).toMatchObject({ filename: 'a.pdf', content_type: 'application/pdf' });
  });

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)(
    'a %s is sent inline, whatever its declared type',
    async (format) => {
      const picture = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } });
      const content = await picture[format]().toBuffer();
      const { url, content_type } = await uploadFile(await newCall(), content, 'page.html', 'text/html');
      const { headers } = await get(url);
      expect([content_type, headers['content-type']]).toEqual([`image/${format}`, `image/${format}`]);
      expect(headers).toMatchObject({
        'content-disposition': 'inline; filename=page.html',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
    },
  );
});

describe('the list of files', () => {
  it('contains all files of the call in pages, the oldest first', async () => {
    const callId = await newCall();
    const sent: Json[] = [];
    for (const name of ['c.txt', 'a.txt', 'b.txt']) {
      test.clock.advance(1);
      sent.push(await uploadFile(callId, Buffer.from(name.repeat(sent.length + 1)), name));
    }
    await uploadFile(await newCall(), Buffer.from('of another call'));
    const { data, meta } = await listFiles(callId);
    expect(meta).toEqual({ current_page: 1, page_size: 20, total_pages: 1, total_count: 3 });
    expect(data).toEqual(
      sent.map((file) => ({
        ...file,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        inserted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      })),
    );
    const names = async (query: string) =>
      (await listFiles(callId, query)).data.map(({ filename }: Json) => filename);
    expect(await names('?sort_by=filename')).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(await names('?sort_by=size&sort_order=desc&page_size=2')).toEqual(['b.txt', 'a.txt']);
    expect(await names('?page=2&page_size=2')).toEqual(['b.txt']);
    expectFailure(await agent.api.get(`/api/v1/calls/${callId}/files?sort_by=storage_key`), 400);
  });

  it('is empty without files', async () => {
    expect(await listFiles(await newCall())).toMatchObject({ data: [], meta: { total_count: 0 } });
  });
});

describe('downloading a file', () => {
  const content = randomBytes(150_000);
  const sha256 = createHash('sha256').update(content).digest('hex');
  let url: string;

  beforeAll(async () => {
    ({ url } = await uploadFile(await newCall(), content));
  });

  it('sends its size, digest and caching headers', async () => {
    const { status, headers } = await get(url);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-length': '150000',
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      etag: `"${sha256}"`,
      'repr-digest': `sha-256=:${createHash('sha256').update(content).digest('base64')}:`,
      'last-modified': expect.stringMatching(/GMT$/),
    });
    expect(headers['content-range']).toBeUndefined();
  });

  it('is in the audit log before the content is sent, and its parts are one download', async () => {
    const file = await uploadFile(await newCall(), content);
    const downloads = async () =>
      (await auditedAbout(test, file.id)).filter(({ action }) => action === 'call_file.downloaded');
    await get(file.url, {}, { method: 'HEAD' });
    await get(file.url, { 'if-none-match': `"${sha256}"` });
    expect(await downloads()).toEqual([]);
    const starts = [0, 1000, 2000, 3000];
    await Promise.all(starts.map((start) => get(file.url, { range: `bytes=${start}-` })));
    expect(await downloads()).toMatchObject([{ user_id: agent.id, address: '127.0.0.1' }]);
    await get(file.url);
    expect(await downloads()).toHaveLength(2);
  });

  it('answers HEAD with the same headers and no content, whatever range it names', async () => {
    const { headers } = await get(url);
    for (const range of [undefined, 'bytes=0-9', 'bytes=999999-']) {
      const head = await get(url, range ? { range } : {}, { method: 'HEAD' });
      expect([head.status, head.content.length]).toEqual([200, 0]);
      const same = ['content-length', 'content-type', 'etag', 'content-disposition', 'last-modified'];
      for (const name of same) expect([name, head.headers[name]]).toEqual([name, headers[name]]);
    }
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=1000-1999', 1000, 1999],
    ['bytes=149000-', 149_000, 149_999],
    ['bytes=-1000', 149_000, 149_999],
    ['bytes=-999999', 0, 149_999],
    ['bytes=100000-999999', 100_000, 149_999],
  ])('answers the range %s with 206', async (range, start, end) => {
    const answer = await get(url, { range });
    expect(answer.status).toBe(206);
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/150000`,
      'content-length': String(end - start + 1),
      etag: `"${sha256}"`,
    });
    expect(answer.content.equals(content.subarray(start, end + 1))).toBe(true);
  });

  it('rejects a range beyond the end with 416 and the size', async () => {
    const { status, headers, content: body } = await get(url, { range: 'bytes=150000-' });
    expect([status, headers['content-range']]).toEqual([416, 'bytes */150000']);
    expect(JSON.parse(body.toString())).toMatchObject({ errors: { code: 'range_not_satisfiable' } });
    expect(headers.etag).toBeUndefined();
  });

  it('sends the whole file when If-Range does not match, and 412 when If-Match does not', async () => {
    const part = { range: 'bytes=0-9' };
    expect((await get(url, { ...part, 'if-range': `"${sha256}"` })).status).toBe(206);
    const whole = await get(url, { ...part, 'if-range': '"other"' });
    expect([whole.status, whole.content.length]).toEqual([200, 150_000]);
    expect((await get(url, { ...part, 'if-match': '"other"' })).status).toBe(412);
  });

  it('answers 304 when the client’s copy is current', async () => {
    const known = await get(url, { 'if-none-match': `"${sha256}"` });
    expect([known.status, known.content.length, known.headers.etag]).toEqual([304, 0, `"${sha256}"`]);
    expect(known.headers['content-length']).toBeUndefined();
    const { headers } = await get(url);
    expect((await get(url, { 'if-modified-since': String(headers['last-modified']) })).status).toBe(304);
  });

  it('requires a token', async () => {
    const answer = await get(url, {}, { who: null });
    expect(answer.status).toBe(401);
    expect(answer.content.length).toBeLessThan(1000);
  });

  it('closes the file when the client disconnects', async () => {
    const big = await uploadFile(await newCall(), randomBytes(20 * 1024 * 1024));
    const { storage_key } = await fileRow(big.id);
    const path = join(storage.path, storage_key);
    for (let count = 0; count < 20; count++) {
      await abortDownload(big.url, 'at once');
      await abortDownload(big.url, 'in the middle');
    }
    expect((await get(big.url, { range: 'bytes=0-0' })).status).toBe(206);
    await until(
      () => openFilePaths().every((file) => file !== path),
      () => `still open ${openFilePaths().filter((file) => file === path).length} times`,
    );
  });

  it('answers 404 when the storage has lost the object', async () => {
    const lost = await uploadFile(await newCall(), Buffer.from('gone'));
    rmSync(join(storage.path, (await fileRow(lost.id)).storage_key));
    const { status, headers } = await get(lost.url);
    expect([status, headers.etag]).toEqual([404, undefined]);
  });
});

/** Requests a file and disconnects, before or after the first data of the response. */
function abortDownload(url: string, when: 'at once' | 'in the middle'): Promise<void> {
  const { port } = new URL(test.url);
  const socket = netConnect(Number(port), '127.0.0.1');
  const lines = [`GET ${url} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${agent.token}`, '', ''];
  socket.write(lines.join('\r\n'), () => {
    if (when === 'at once') socket.destroy();
  });
  socket.once('data', () => socket.destroy());
  return new Promise((resolve) => socket.on('close', () => resolve()));
}

/** Sends a POST request without its body. @returns what is answered until its body would follow */
function answerToHead(path: string, headers: Record<string, string>): Promise<string> {
  const socket = netConnect(Number(new URL(test.url).port), '127.0.0.1').setEncoding('utf8');
  const all = { Host: 'x', Authorization: `Bearer ${agent.token}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write([`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  return new Promise((resolve, reject) => {
    let answer = '';
    socket.on('error', reject).on('data', (text: string) => {
      answer += text;
      if (!answer.includes('"errors"')) return;
      socket.destroy();
      resolve(answer);
    });
  });
}

/** Returns the paths of all files that this process has open. The service runs in this process. */
function openFilePaths(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

describe('a call outside the user’s scope', () => {
  it('answers 404 to other tenants, to restricted attendants of other departments and for unknown ids', async () => {
    const otherTenant = await TestTenant.register(test);
    const { department, link: departmentLink } = await otherTenant.queue();
    const { department: other } = await otherTenant.queue();
    const insider = await otherTenant.member('attendant', [department.id]);
    const outsider = await otherTenant.member('attendant', [other.id]);
    const stranger = agent;
    expectStatus(await otherTenant.owner.api.put('/api/v1/tenant', { restrict_attendants: true }), 200);
    const { call_id: callId } = await otherTenant.join(departmentLink);
    const part: Part = ['file', Buffer.from('secret'), 'secret.txt'];
    const answer = await uploadParts(callId, [part], insider);
    expectStatus(answer, 201);
    const { id, url } = answer.body.data;
    expect((await get(url, {}, { who: insider })).content.toString()).toBe('secret');
    const before = storage.files();
    for (const who of [outsider, stranger]) {
      for (const call of [callId, someId()]) {
        expectFailure(await uploadParts(call, [part], who), 404);
        expectFailure(await who.api.get(`/api/v1/calls/${call}/files`), 404);
        expectFailure(await who.api.get(`/api/v1/calls/${call}/files/${id}`), 404);
      }
    }
    expect(storage.files()).toEqual(before);
    expect((await insider.api.get(`/api/v1/calls/${callId}/files`)).body.meta.total_count).toBe(1);
  });

  it('hides a file of another call', async () => {
    const [first, other] = [await newCall(), await newCall()];
    const { id } = await uploadFile(first, Buffer.from('one'));
    expectFailure(await agent.api.get(`/api/v1/calls/${other}/files/${id}`), 404, { code: 'not_found' });
    expectFailure(await agent.api.get(`/api/v1/calls/${first}/files/${someId()}`), 404);
    expectFailure(await agent.api.get(`/api/v1/calls/${first}/files/x`), 400);
    expectFailure(await agent.api.get(`/api/v1/calls/x/files`), 400);
  });
});

describe('deleting a file', () => {
  it('removes its stored object, also when its call is deleted', async () => {
    const [callId, kept] = [await newCall(), await newCall()];
    const [first, other, remaining] = [
      await uploadFile(callId, Buffer.from('1')),
      await uploadFile(kept, Buffer.from('2')),
      await uploadFile(kept, Buffer.from('3')),
    ];
    const keys: string[] = [];
    for (const { id } of [first, other, remaining]) keys.push((await fileRow(id)).storage_key);
    await test.db.query('DELETE FROM calls WHERE id = $1', [callId]);
    // With row-level security, as the service does it.
    await test
      .get(Database)
      .tenant(tenant.id, (tx) => tx.query('DELETE FROM call_files WHERE id = $1', [other.id]));
    await test.get(StoredObjectsService).sweep();
    await until(async () => !(await objectRow(keys[0])) && !(await objectRow(keys[1])));
    expect(keys.map((key) => storage.files().includes(key))).toEqual([false, false, true]);
    expect((await get(remaining.url)).content.toString()).toBe('3');
    expectFailure(await agent.api.get(`/api/v1/calls/${callId}/files/${first.id}`), 404);
  });
});
