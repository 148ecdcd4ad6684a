import { QueueBroadcast } from '../../src/live/broadcasts/queue-broadcast';
import { QueueSummaries } from '../../src/live/queue-summaries';
import { rooms } from '../../src/live/rooms';
import { SocketServer } from '../../src/live/socket-server';
import type { Json } from '../support/http/api';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { departmentEnded } from '../support/contexts/departments';
import { changeDepartment } from '../support/contexts/line';
import { minuteFromNow, openFor } from '../support/contexts/opening-hours';
import { createSkill } from '../support/contexts/skills';
import { oneTo } from '../support/database/rows';
import type { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const departmentsOf = ({ queues }: Json): string[] => queues.map(({ department_id }: Json) => department_id);

describe('queue updates', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let agent: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    agent = await tenant.member();
  });

  beforeEach(async () => {
    ({ department, link } = await tenant.queue({ max_queue_size: 500 }));
  });

  afterEach(() => test.clock.reset());
  afterAll(() => test.close());

  /** Lets customers join, each with a socket that has received its position. @returns them in queue order */
  async function joinQueue(length: number): Promise<{ entry: Json; socket: TestSocket }[]> {
    const customers: { entry: Json; socket: TestSocket }[] = [];
    for (const position of oneTo(length)) {
      const entry = await tenant.join(link);
      const socket = await connect(entry.websocket_token);
      await socket.waitFor('queue_position', (update) => update.position === position);
      customers.push({ entry, socket });
    }
    return customers;
  }

  const assign = (entry: Json) => agent.api.post(`/api/v1/calls/${entry.call_id}/assign`);

  it('send queue_position only to customers whose position has changed', async () => {
    const customers = await joinQueue(4);
    const sockets = customers.map(({ socket }) => socket);
    const watcher = await connect(tenant.owner.token);
    // What was sent before has arrived.
    await Promise.all(sockets.map((socket) => socket.send('snapshot')));
    const before = sockets.map((socket) => socket.all('queue_position').length);

    await assign(customers[2]?.entry);

    const update = await sockets[3]?.waitFor('queue_position', ({ position }) => position === 3);
    expect(update).toEqual({
      call_id: customers[3]?.entry.call_id,
      at: expect.any(String),
      version: 1,
      position: 3,
      estimated_wait_time: 540,
      estimated_wait_range: null,
      queue_size: 3,
      has_estimate: false,
      ringing: false,
    });
    await sockets[2]?.waitFor('call_assigned');
    // Another join makes the service send updates again, so an update to the others would have arrived by then.
    await tenant.join(link);
    await watcher.waitFor('queue_updated', (queue) => queue.size === 4);
    await Promise.all(sockets.map((socket) => socket.send('snapshot')));
    const after = sockets.map((socket) => socket.all('queue_position').length);
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([0, 0, 0, 1]);
    for (const socket of sockets.slice(0, 2)) expect(socket.all('call_assigned')).toEqual([]);
  });

  it('are sent at most four times a second in a burst of changes, and the last one is never lost', async () => {
    const watcher = await connect(tenant.owner.token);
    const ahead = await Promise.all(oneTo(60).map(() => tenant.join(link)));
    const socket = await connect((await tenant.join(link)).websocket_token);
    await socket.waitFor('queue_position', (update) => update.position === 61);
    await watcher.waitFor('queue_updated', (queue) => queue.size === 61);
    const positions = () => socket.all('queue_position').map((update) => update.position);
    const updates = () => watcher.all('queue_updated').length;
    const [positionsBefore, updatesBefore] = [positions().length, updates()];

    const start = Date.now();
    for (const { call_id, websocket_token } of ahead) {
      await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token });
    }
    await socket.waitFor('queue_position', (update) => update.position === 1);
    await watcher.waitFor('queue_updated', (queue) => queue.size === 1);
    const maxUpdates = Math.ceil((Date.now() - start) / 250) + 1;

    expect(maxUpdates).toBeLessThan(30);
    expect(positions().length - positionsBefore).toBeLessThanOrEqual(maxUpdates);
    expect(updates() - updatesBefore).toBeLessThanOrEqual(maxUpdates);
    // Positions only decrease.
    const newPositions = positions().slice(positionsBefore);
    expect(newPositions).toEqual([...new Set(newPositions)].sort((one, other) => other - one));
  });

  it('send a new estimate to all customers when an agent comes online', async () => {
    const [, second] = await joinQueue(2);
    expect(second?.socket.all('queue_position').at(-1)).toMatchObject({ estimated_wait_time: 360 });
    for (const count of [1, 2]) {
      const member = await tenant.member('attendant', [department.id]);
      await connect(member.token);
      await until(async () => {
        const response = await test.api.get(`/api/v1/call/${link.token}/validate`);
        return response.body.data.online_agents === count;
      });
    }
    // Both are idle, so the call waits only for the answer.
    await second?.socket.waitFor('queue_position', (update) => update.estimated_wait_time === 10);
  });

  it('are sent to members of the department and supervisors of the tenant only', async () => {
    const other = await TestTenant.register(test);
    const otherDepartmentAgent = await tenant.member('attendant', [(await tenant.department()).id]);
    const member = await connect((await tenant.member('attendant', [department.id])).token);
    const supervisor = await connect((await tenant.member('supervisor')).token);
    const outsiders = [
      await connect(otherDepartmentAgent.token),
      await connect(agent.token),
      await connect(other.owner.token),
    ];

    const entry = await tenant.join(link);
    for (const watcher of [member, supervisor]) {
      const update = await watcher.waitFor('queue_updated', (queue) => queue.size === 1);
      expect(update).toEqual({
        department_id: department.id,
        department_name: department.name,
        at: expect.any(String),
        size: 1,
        longest_wait: expect.any(Number),
        open: true,
        opens_at: null,
        closes_at: null,
        calls: null,
      });
    }
    await assign(entry);
    await member.waitFor('queue_updated', (queue) => queue.size === 0 && queue.longest_wait === 0);
    for (const outsider of outsiders) {
      await outsider.send('snapshot');
      expect(outsider.all('queue_updated').filter((queue) => queue.department_id === department.id)).toEqual(
        [],
      );
    }
  });

  const watch = (socket: TestSocket, event = 'watch_department') =>
    socket.send(event, { department_id: department.id });

  describe('of a department that the socket watches', () => {
    it('have rows, which the snapshot always has, until the socket stops watching', async () => {
      const other = await tenant.queue();
      const [watcher, bystander] = [await connect(tenant.owner.token), await connect(tenant.owner.token)];
      expect(await watch(watcher)).toEqual({ ok: true });
      const { id: department_id, name: department_name } = department;
      const current = { department_id, department_name, size: 0, longest_wait: 0, calls: [] };
      const isOfDepartment = (queue: Json) => queue.department_id === department.id;
      expect(await watcher.waitFor('queue_updated', isOfDepartment)).toMatchObject(current);
      const { call_id } = await tenant.join(link, { name: 'Eva' });
      const update = await watcher.waitFor('queue_updated', (queue) => queue.size === 1);
      expect(update.calls).toEqual([
        expect.objectContaining({
          id: call_id,
          status: 'queued',
          customer_name: 'Eva',
          priority: 0,
          skills: [],
        }),
      ]);
      expect(await bystander.waitFor('queue_updated', (queue) => queue.size === 1)).toMatchObject({
        calls: null,
      });
      const snapshot = await bystander.send('snapshot');
      const shown = snapshot.data.queues.find((queue: Json) => queue.department_id === department.id);
      expect(shown.calls).toHaveLength(1);

      await tenant.join(other.link);
      const unwatched = (queue: Json) => queue.department_id === other.department.id && queue.size === 1;
      expect(await watcher.waitFor('queue_updated', unwatched)).toMatchObject({ calls: null });

      expect(await watch(watcher, 'unwatch_department')).toEqual({ ok: true });
      await tenant.join(link);
      const last = await watcher.waitFor('queue_updated', (queue) => queue.size === 2);
      expect(last.calls).toBeNull();
    });

    it('show a new priority and new skills, even if nothing moves', async () => {
      const skill_id = await createSkill(tenant);
      const watcher = await connect(tenant.owner.token);
      await watch(watcher);
      await changeDepartment(test, department.id, { priority_step: 0 });
      const { call_id } = await tenant.join(link);
      await tenant.owner.api.put(`/api/v1/calls/${call_id}`, { priority: 2 });
      await watcher.waitFor('queue_updated', ({ calls }) => calls?.[0]?.priority === 2);
      await tenant.owner.api.put(`/api/v1/calls/${call_id}`, { skills: [{ skill_id, min_level: 3 }] });
      await watcher.waitFor('queue_updated', ({ calls }) => calls?.[0]?.skills[0]?.min_level === 3);
    });

    it('may be named in upper case', async () => {
      const watcher = await connect(tenant.owner.token);
      const shouted = { department_id: department.id.toUpperCase() };
      expect(await watcher.send('watch_department', shouted)).toEqual({ ok: true });
      await tenant.join(link);
      const update = await watcher.waitFor('queue_updated', (queue) => queue.size === 1);
      expect(update.calls).toHaveLength(1);
      expect(await watcher.send('unwatch_department', shouted)).toEqual({ ok: true });
      await tenant.join(link);
      const last = await watcher.waitFor('queue_updated', (queue) => queue.size === 2);
      expect(last.calls).toBeNull();
    });

    it('can be watched by staff who see its queue only', async () => {
      const outsider = await connect((await tenant.member()).token);
      const foreigner = await connect((await TestTenant.register(test)).owner.token);
      for (const socket of [outsider, foreigner]) {
        expect(await watch(socket)).toMatchObject({ ok: false, error: { code: 'not_found' } });
      }
      const customer = await connect((await tenant.join(link)).websocket_token);
      for (const event of ['watch_department', 'unwatch_department']) {
        expect(await watch(customer, event)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
      }
      const supervisor = await connect(tenant.owner.token);
      const ack = await supervisor.send('watch_department', { department_id: 'x' });
      expect(ack).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
    });

    it('end when the user leaves the department', async () => {
      const member = await tenant.member('attendant', [department.id]);
      const socket = await connect(member.token);
      expect(await watch(socket)).toEqual({ ok: true });
      const members = `/api/v1/departments/${department.id}/users`;
      await tenant.owner.api.delete(`${members}/${member.id}`);
      await until(() => test.get(SocketServer).localSocketsIn(rooms.rows(department.id)).length === 0);
      await tenant.owner.api.post(members, { user_id: member.id });
      await tenant.join(link);
      const update = await socket.waitFor('queue_updated', (queue) => queue.size === 1);
      expect(update.calls).toBeNull();
    });
  });

  it('name a new department to supervisors, and every department by its new name', async () => {
    const watcher = await connect(tenant.owner.token);
    const { id } = await tenant.department();
    const isNew = ({ department_id }: Json) => department_id === id;
    expect(await watcher.waitFor('queue_updated', isNew)).toMatchObject({ size: 0, calls: null });
    await tenant.owner.api.put(`/api/v1/departments/${id}`, { name: 'Renamed' });
    await watcher.waitFor('queue_updated', (queue) => isNew(queue) && queue.department_name === 'Renamed');
  });

  it('say whether the department is open, also when it opens or closes and when its hours change', async () => {
    const member = await connect((await tenant.member('attendant', [department.id])).token);
    const hours = openFor(test, 2, 4);
    const [opens_at, closes_at] = [2, 4].map((minutes) => minuteFromNow(test, minutes).toISOString());
    const update = (isExpected: (queue: Json) => boolean) => member.waitFor('queue_updated', isExpected);
    await tenant.owner.api.put(`/api/v1/departments/${department.id}`, { opening_hours: hours });
    const closed = { open: false, opens_at, closes_at };
    expect(await update(({ open }) => !open)).toMatchObject(closed);
    expect((await member.send('snapshot')).data.queues).toMatchObject([closed]);
    test.clock.advance(150);
    expect(await update(({ open }) => open)).toMatchObject({ opens_at: null, closes_at });
    const later = (await member.send('snapshot')).data.queues;
    expect(later).toMatchObject([{ open: true, opens_at: null, closes_at }]);
    test.clock.advance(120);
    await update((queue) => !queue.open && queue.closes_at === null);
    // Each change was sent once: the new hours, the opening and the closing.
    expect(member.all('queue_updated').map(({ open }) => open)).toEqual([false, true, false]);
  });

  it('follow the time zone of the company', async () => {
    const other = await TestTenant.register(test);
    const watcher = await connect(other.owner.token);
    const weekly = { mon: [['09:00', '10:00']] };
    const { department: own } = await other.queue({ opening_hours: { timezone: null, weekly } });
    const closesAt = (time: string) => (queue: Json) =>
      queue.department_id === own.id && queue.closes_at?.endsWith(time);
    for (const [timezone, time] of [
      ['Asia/Kolkata', 'T04:30:00.000Z'],
      ['UTC', 'T10:00:00.000Z'],
    ] as const) {
      await other.owner.api.put('/api/v1/tenant', { timezone });
      await watcher.waitFor('queue_updated', closesAt(time));
    }
  });

  it('follow a snapshot when the user joins or leaves a department', async () => {
    const member = await tenant.member();
    const socket = await connect(member.token);
    await tenant.join(link, { name: 'Eva' });
    const members = `/api/v1/departments/${department.id}/users`;
    await tenant.owner.api.post(members, { user_id: member.id });
    const joined = await socket.waitFor('snapshot', ({ queues }) => queues.length === 1);
    expect(joined).toMatchObject({
      at: expect.any(String),
      queues: [{ department_id: department.id, size: 1, calls: [{ customer_name: 'Eva' }] }],
    });
    const before = socket.all('snapshot').length;
    await tenant.owner.api.delete(`${members}/${member.id}`);
    await until(() => socket.all('snapshot').length > before);
    expect(socket.all('snapshot').at(-1)).toMatchObject({ queues: [] });
  });

  it('end with a snapshot without the department when it is deleted', async () => {
    const member = await tenant.member('attendant', [department.id]);
    const watchers = [await connect(member.token), await connect(tenant.owner.token)];
    for (const watcher of watchers) {
      await watcher.send('watch_department', { department_id: department.id });
      expect(departmentsOf((await watcher.send('snapshot')).data)).toContain(department.id);
    }
    await tenant.join(link);
    const summaries = jest.spyOn(test.get(QueueSummaries), 'ofDepartments');
    expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${department.id}`), 204);
    for (const watcher of watchers) {
      await watcher.waitFor('snapshot', (snapshot) => !departmentsOf(snapshot).includes(department.id));
    }
    // The job cancels the call, which changes the queue.
    await departmentEnded(test, department.id);
    test.get(QueueBroadcast).send(tenant.id, department.id);
    await until(() => summaries.mock.calls.some(([, ids]) => ids.length === 1 && ids[0] === department.id));
    await Promise.all(summaries.mock.results.map(({ value }) => value));
    summaries.mockRestore();
    for (const watcher of watchers) {
      await watcher.send('snapshot');
      expect(watcher.all('queue_updated').filter((queue) => queue.department_name === '')).toEqual([]);
    }
  });

  it('contain the first 50 calls in queue order and the size of the whole queue', async () => {
    const watcher = await connect(tenant.owner.token);
    await watcher.send('watch_department', { department_id: department.id });
    const first = await tenant.join(link, { name: 'First' });
    test.clock.advance(30);
    for (const batch of oneTo(6)) {
      await Promise.all(oneTo(9).map((place) => tenant.join(link, { name: `${batch}-${place}` })));
    }
    const update = await watcher.waitFor('queue_updated', (queue) => queue.size === 55);
    expect(update.calls).toHaveLength(50);
    expect(update.calls[0].id).toBe(first.call_id);
    expect(update.longest_wait).toBeGreaterThanOrEqual(30);
    const { rows } = await test.db.query(
      'SELECT id FROM calls WHERE department_id = $1 ORDER BY queue_number LIMIT 50',
      [department.id],
    );
    expect(update.calls.map((call: Json) => call.id)).toEqual(rows.map((row) => row.id));
    // The last call goes to the front, but the first one has waited longest.
    await test.db.query(
      `UPDATE calls SET priority_since = '2000-01-01' WHERE customer_name = '6-9' AND department_id = $1`,
      [department.id],
    );
    await watcher.send('watch_department', { department_id: department.id });
    const moved = await watcher.waitFor(
      'queue_updated',
      (queue) => queue.calls?.[0]?.customer_name === '6-9',
    );
    expect(moved.longest_wait).toBeGreaterThanOrEqual(30);
  });

  it('are sent to a user who was added to the department by ids in upper case', async () => {
    const member = await tenant.member();
    const socket = await connect(member.token);
    const members = `/api/v1/departments/${department.id.toUpperCase()}/users`;
    await tenant.owner.api.post(members, { user_id: member.id.toUpperCase() });
    await tenant.join(link);
    await socket.waitFor('queue_updated', (queue) => queue.size === 1);
  });

  it('are sent to a user from joining a department until leaving it', async () => {
    const member = await tenant.member();
    const socket = await connect(member.token);
    await tenant.owner.api.post(`/api/v1/departments/${department.id}/users`, { user_id: member.id });
    await tenant.join(link);
    await socket.waitFor('queue_updated', (queue) => queue.size === 1);
    await tenant.owner.api.delete(`/api/v1/departments/${department.id}/users/${member.id}`);
    const watcher = await connect(tenant.owner.token);
    await tenant.join(link);
    await watcher.waitFor('queue_updated', (queue) => queue.size === 2);
    await socket.send('snapshot');
    const sizes = socket.all('queue_updated').map((queue) => queue.size);
    expect(sizes.at(-1)).toBe(1);
    expect(sizes).not.toContain(2);
  });
});
