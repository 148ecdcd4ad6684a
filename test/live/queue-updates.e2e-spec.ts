import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { oneTo } from '../support/database/rows';
import type { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

describe('news of the line', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let agent: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
    agent = await tenant.member();
  });

  beforeEach(async () => {
    ({ department, link } = await tenant.queue({ max_queue_size: 500 }));
  });

  afterAll(() => test.close());

  /** Customers who wait, each with a socket that knows its place. */
  async function aLineOf(length: number): Promise<{ entry: Json; socket: TestSocket }[]> {
    const line: { entry: Json; socket: TestSocket }[] = [];
    for (const position of oneTo(length)) {
      const entry = await tenant.join(link);
      const socket = await connect(entry.websocket_token);
      await socket.waitFor('queue_position', (news) => news.position === position);
      line.push({ entry, socket });
    }
    return line;
  }

  const assign = (entry: Json) => agent.api.post(`/api/v1/calls/${entry.call_id}/assign`);

  it('each place is told when it changes, and to nobody whose place is the same', async () => {
    const line = await aLineOf(4);
    const sockets = line.map(({ socket }) => socket);
    const watching = await connect(tenant.owner.token);
    const before = sockets.map((socket) => socket.all('queue_position').length);

    await assign(line[2]?.entry);

    const news = await sockets[3]?.waitFor('queue_position', (told) => told.position === 3);
    expect(news).toEqual({
      call_id: line[3]?.entry.call_id,
      at: expect.any(String),
      version: 1,
      position: 3,
      estimated_wait_time: 540,
      queue_size: 3,
    });
    await sockets[2]?.waitFor('call_assigned');
    // The line is gone through once more, which would tell the others if it told them anything.
    await tenant.join(link);
    await watching.waitFor('queue_updated', (news) => news.size === 4);
    await Promise.all(sockets.map((socket) => socket.send('snapshot')));
    const after = sockets.map((socket) => socket.all('queue_position').length);
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([0, 0, 0, 1]);
    for (const socket of sockets.slice(0, 2)) expect(socket.all('call_assigned')).toEqual([]);
  });

  it('a burst of changes is told at most four times a second, and its end is never lost', async () => {
    const watching = await connect(tenant.owner.token);
    const ahead = await Promise.all(oneTo(60).map(() => tenant.join(link)));
    const socket = await connect((await tenant.join(link)).websocket_token);
    await socket.waitFor('queue_position', (news) => news.position === 61);
    await watching.waitFor('queue_updated', (line) => line.size === 61);
    const told = () => socket.all('queue_position').map((news) => news.position);
    const updates = () => watching.all('queue_updated').length;
    const [toldBefore, updatesBefore] = [told().length, updates()];

    const began = Date.now();
    for (const { call_id, websocket_token } of ahead) {
      await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token });
    }
    await socket.waitFor('queue_position', (news) => news.position === 1);
    await watching.waitFor('queue_updated', (line) => line.size === 1);
    const most = Math.ceil((Date.now() - began) / 250) + 1;

    expect(most).toBeLessThan(30);
    expect(told().length - toldBefore).toBeLessThanOrEqual(most);
    expect(updates() - updatesBefore).toBeLessThanOrEqual(most);
    // Places only ever move forward.
    const places = told().slice(toldBefore);
    expect(places).toEqual([...new Set(places)].sort((one, other) => other - one));
  });

  it('an agent who comes gives everybody a new estimate', async () => {
    const [, second] = await aLineOf(2);
    expect(second?.socket.all('queue_position').at(-1)).toMatchObject({ estimated_wait_time: 360 });
    for (const count of [1, 2]) {
      const member = await tenant.member('attendant', [department.id]);
      await connect(member.token);
      await until(async () => {
        const answer = await test.api.get(`/api/v1/call/${link.token}/validate`);
        return answer.body.data.online_agents === count;
      });
    }
    await second?.socket.waitFor('queue_position', (news) => news.estimated_wait_time === 180);
  });

  it('staff see the line: members and supervisors of the tenant, and nobody else', async () => {
    const other = await TestTenant.register(test);
    const elsewhere = await tenant.member('attendant', [(await tenant.department()).id]);
    const member = await connect((await tenant.member('attendant', [department.id])).token);
    const supervisor = await connect((await tenant.member('supervisor')).token);
    const outsiders = [
      await connect(elsewhere.token),
      await connect(agent.token),
      await connect(other.owner.token),
    ];

    const entry = await tenant.join(link, { name: 'Eva' });
    for (const watching of [member, supervisor]) {
      const news = await watching.waitFor('queue_updated', (line) => line.size === 1);
      expect(news).toEqual({
        department_id: department.id,
        at: expect.any(String),
        size: 1,
        longest_wait: expect.any(Number),
        calls: [expect.objectContaining({ id: entry.call_id, status: 'queued', customer_name: 'Eva' })],
      });
    }
    await assign(entry);
    await member.waitFor('queue_updated', (line) => line.size === 0 && line.longest_wait === 0);
    for (const outsider of outsiders) {
      await outsider.send('snapshot');
      expect(outsider.all('queue_updated').filter((line) => line.department_id === department.id)).toEqual(
        [],
      );
    }
  });

  it('staff see the first fifty, in line, with the size of the whole', async () => {
    const watching = await connect(tenant.owner.token);
    const first = await tenant.join(link, { name: 'First' });
    test.clock.advance(30);
    for (const batch of oneTo(6)) {
      await Promise.all(oneTo(9).map((place) => tenant.join(link, { name: `${batch}-${place}` })));
    }
    const news = await watching.waitFor('queue_updated', (line) => line.size === 55);
    expect(news.calls).toHaveLength(50);
    expect(news.calls[0].id).toBe(first.call_id);
    expect(news.longest_wait).toBeGreaterThanOrEqual(30);
    const { rows } = await test.db.query(
      'SELECT id FROM calls WHERE department_id = $1 ORDER BY queue_number LIMIT 50',
      [department.id],
    );
    expect(news.calls.map((call: Json) => call.id)).toEqual(rows.map((row) => row.id));
  });

  it('whoever joins or leaves a department watches, or watches no more', async () => {
    const member = await tenant.member();
    const socket = await connect(member.token);
    await tenant.owner.api.post(`/api/v1/departments/${department.id}/users`, { user_id: member.id });
    await tenant.join(link);
    await socket.waitFor('queue_updated', (line) => line.size === 1);
    await tenant.owner.api.delete(`/api/v1/departments/${department.id}/users/${member.id}`);
    const watching = await connect(tenant.owner.token);
    await tenant.join(link);
    await watching.waitFor('queue_updated', (line) => line.size === 2);
    await socket.send('snapshot');
    const seen = socket.all('queue_updated').map((line) => line.size);
    expect(seen.at(-1)).toBe(1);
    expect(seen).not.toContain(2);
  });
});
