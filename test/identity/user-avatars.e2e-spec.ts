import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { acceptTransfer, transfer } from '../support/contexts/transfers';
import { expectFailure } from '../support/database/failures';
import type { Json } from '../support/http/api';
import { documentedFetch } from '../support/http/documented-fetch';
import { type Part, upload } from '../support/http/multipart';
import { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';

const PUBLIC_URL = 'https://calls.example.com';
const MAX_AVATAR_BYTES = 2 * 1024 * 1024;

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await startTestApp({ env: { PUBLIC_URL } });
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

const picture = (background = '#ff0000', format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png') =>
  sharp({ create: { width: 300, height: 100, channels: 3, background } })
    .toFormat(format)
    .toBuffer();

const put = ({ token }: Member, id: string, ...parts: Part[]) =>
  upload(test, `/api/v1/users/${id}/avatar`, parts, { method: 'PUT', token });

const remove = ({ api }: Member, id: string) => api.delete(`/api/v1/users/${id}/avatar`);

/** Fetches a photo as the page of a customer does. */
async function fetchPhoto(url: string) {
  const response = await documentedFetch(url.replace(PUBLIC_URL, test.url));
  const content = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.includes('json');
  const body: Json = isJson ? JSON.parse(content.toString()) : undefined;
  return { status: response.status, headers: response.headers, content, body };
}

const rowsOf = async (id: string) =>
  (await test.db.query('SELECT * FROM user_avatars WHERE user_id = $1', [id])).rows;

/** Gives a user a photo. @returns its URL */
async function withPhoto(member: Member, background?: string): Promise<string> {
  const answer = await put(member, member.id, ['file', await picture(background)]);
  expectStatus(answer, 200);
  return answer.body.data.avatar_url;
}

describe('the photo of a user', () => {
  it.each(['png', 'jpeg', 'webp'] as const)(
    'can be uploaded by the user as a %s, and is square',
    async (format) => {
      const member = await tenant.member();
      const before = (await member.api.get('/api/v1/users/me')).body.data;
      expect(before.avatar_url).toBeNull();
      const answer = await put(member, member.id, [
        'file',
        await picture('#ff0000', format),
        '../x.svg',
        'image/svg+xml',
      ]);
      expectStatus(answer, 200);
      const { avatar_url } = answer.body.data;
      expect(avatar_url).toMatch(
        new RegExp(`^${PUBLIC_URL}/api/v1/avatars/${tenant.id}/${member.id}/[0-9a-f]{64}\\.png$`),
      );
      expect((await member.api.get('/api/v1/users/me')).body.data).toMatchObject({
        id: member.id,
        avatar_url,
      });
      const list = await tenant.owner.api.get(`/api/v1/users?search=${member.email}`);
      expect(list.body.data).toMatchObject([{ id: member.id, avatar_url }]);

      const shown = await fetchPhoto(avatar_url);
      expect(shown.status).toBe(200);
      expect(shown.headers.get('content-type')).toBe('image/png');
      expect(shown.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(await sharp(shown.content).metadata()).toMatchObject({ format: 'png', width: 256, height: 256 });
      expect(avatar_url).toContain(createHash('sha256').update(shown.content).digest('hex'));
    },
  );

  it('is replaced and removed, and then no longer served', async () => {
    const member = await tenant.member();
    const first = await withPhoto(member, '#00ff00');
    expect((await fetchPhoto(first)).status).toBe(200);
    const second = await withPhoto(member, '#0000ff');
    expectFailure(await fetchPhoto(first), 404, { code: 'not_found' });
    expect((await fetchPhoto(second)).status).toBe(200);
    expect(await withPhoto(member, '#0000ff')).toBe(second);
    expect(await rowsOf(member.id)).toHaveLength(1);
    expectStatus(await remove(member, member.id), 204);
    expectFailure(await fetchPhoto(second), 404, { code: 'not_found' });
    expect(await rowsOf(member.id)).toEqual([]);
    expectStatus(await remove(member, member.id), 204);
  });

  it('is one after parallel uploads', async () => {
    const member = await tenant.member();
    const urls = await Promise.all(
      ['#111111', '#222222', '#333333', '#444444'].map((c) => withPhoto(member, c)),
    );
    const { avatar_url } = (await member.api.get('/api/v1/users/me')).body.data;
    expect(urls).toContain(avatar_url);
    expect(await rowsOf(member.id)).toMatchObject([{ content_hash: avatar_url.slice(-68, -4) }]);
    expect((await fetchPhoto(avatar_url)).status).toBe(200);
  });

  it('of others is changed by managers, but not of a higher role', async () => {
    const [member, supervisor, manager] = await Promise.all([
      tenant.member(),
      tenant.member('supervisor'),
      tenant.member('manager'),
    ]);
    const content = await picture();
    expectFailure(await put(supervisor, member.id, ['file', content]), 403, { code: 'forbidden' });
    expectFailure(await remove(supervisor, member.id), 403, { code: 'forbidden' });
    expectStatus(await put(manager, member.id, ['file', content]), 200);
    expectStatus(await remove(manager, member.id), 204);
    expectFailure(await put(manager, tenant.owner.id, ['file', content]), 403, { code: 'forbidden' });
    expectFailure(await put(manager, someId(), ['file', content]), 404);
    const elsewhere = await TestTenant.register(test);
    expectFailure(await put(manager, elsewhere.owner.id, ['file', content]), 404);
    expect(await rowsOf(elsewhere.owner.id)).toEqual([]);
  });

  it('is refused unless it is a PNG, JPEG or WebP of at most 2 MiB', async () => {
    const member = await tenant.member();
    const small = await picture();
    const exactly = Buffer.concat([small, Buffer.alloc(MAX_AVATAR_BYTES - small.length)]);
    for (const [content, status] of [
      [await picture('#ff0000', 'gif'), 422],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 422],
      [small.subarray(0, 60), 422],
      [Buffer.concat([exactly, Buffer.alloc(1)]), 413],
    ] as const) {
      expectFailure(await put(member, member.id, ['file', content, 'me.png', 'image/png']), status);
    }
    expectFailure(await put(member, member.id, ['note', 'no file']), 422, { field: 'file' });
    expect(await rowsOf(member.id)).toEqual([]);
    expectStatus(await put(member, member.id, ['file', exactly]), 200);
  });

  it('can be uploaded 30 times an hour for each user', async () => {
    const member = await tenant.member();
    const refused = Buffer.from('no picture');
    for (let times = 0; times < 30; times++) {
      expectFailure(await put(member, member.id, ['file', refused]), 422);
    }
    expectFailure(await put(member, member.id, ['file', refused]), 429, { code: 'rate_limited' });
    const manager = await tenant.member('manager');
    expectFailure(await put(manager, member.id, ['file', refused]), 429, { code: 'rate_limited' });
    // The photos of others have limits of their own, which only those who may change them use up.
    const other = await tenant.member();
    for (let times = 0; times < 30; times++) {
      expectFailure(await put(member, other.id, ['file', refused]), 403);
      expectFailure(await put(manager, tenant.owner.id, ['file', refused]), 403);
    }
    for (const { id } of [other, tenant.owner])
      expectFailure(await put(tenant.owner, id, ['file', refused]), 422);
  });

  it('of a suspended company is not served', async () => {
    const suspended = await TestTenant.register(test);
    const url = await withPhoto(suspended.owner);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [suspended.id]);
    expectFailure(await fetchPhoto(url), 404, { code: 'not_found' });
    expectFailure(await fetchPhoto(url.replace(suspended.id, someId())), 404);
    expectFailure(await fetchPhoto(url.replace('.png', '.svg')), 404);
  });
});

it('the customer gets the photo with the name of the agent, also after a transfer', async () => {
  const { department, link } = await tenant.queue();
  const [agent, successor] = await Promise.all([
    tenant.member('attendant', [department.id]),
    tenant.member('attendant', [department.id]),
  ]);
  const [avatar_url, other] = [await withPhoto(agent, '#101010'), await withPhoto(successor, '#202020')];
  const { call_id, websocket_token } = await tenant.join(link);
  const customer = await TestSocket.connect(test.url, websocket_token);
  const next = await TestSocket.connect(test.url, successor.token);
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/assign`), 200);
  expect((await customer.waitFor('call_assigned')).agent).toEqual({ name: agent.name, avatar_url });
  expect((await customer.send('snapshot')).data.agent).toEqual({ name: agent.name, avatar_url });

  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
  await transfer(agent, call_id, { user_id: successor.id });
  await acceptTransfer(test, tenant, call_id);
  const { agent: transferred } = await customer.waitFor('call_transferred');
  expect(transferred).toEqual({ name: successor.name, avatar_url: other });
  for (const socket of [customer, next]) socket.close();
});
