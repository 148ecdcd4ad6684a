import { Queue } from '../../src/calls/queue/queue';
import type { Answer, Json } from '../support/http/api';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { changeDepartment, entryOf, secondsAfter } from '../support/contexts/line';
import { missRingTimeout } from '../support/contexts/ring-timeouts';
import { createSkill } from '../support/contexts/skills';
import { expectFailure } from '../support/database/failures';
import { expectNoRetries } from '../support/database/lock-order';
import { callRow, eventsOf, oneTo } from '../support/database/rows';
import { raceRounds } from '../support/race-rounds';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

beforeEach(async () => {
  ({ department, link } = await tenant.queue({ max_queue_size: 500 }));
});

afterEach(() => test.clock.resume());
afterAll(() => test.close());

expectNoRetries(() => [test]);

const edit = (id: string, input: Json): Promise<Answer> => tenant.owner.api.put(`/api/v1/calls/${id}`, input);

const requiring = (skill_id: string) => ({ skills: [{ skill_id, min_level: 1 }] });

describe('the priority of a waiting call', () => {
  it('moves it in the queue, and every customer receives the new position', async () => {
    const [first, second] = [await tenant.join(link), await tenant.join(link)];
    const sockets = [await connect(first.websocket_token), await connect(second.websocket_token)];
    const answer = await edit(second.call_id, { priority: 3 });
    expectStatus(answer, 200);
    expect(answer.body.data).toMatchObject({ id: second.call_id, status: 'queued', priority: 3, skills: [] });
    await sockets[0]?.waitFor('queue_position', ({ position }) => position === 2);
    await sockets[1]?.waitFor('queue_position', ({ position }) => position === 1);
    const call = await callRow(test, second.call_id);
    const rank_at = secondsAfter(call.inserted_at, -180);
    expect(call).toMatchObject({ priority: 3, rank_at, version: 2 });
    expect(await entryOf(test, second.call_id)).toMatchObject({ rank_at });
    expect(await eventsOf(test, second.call_id)).toEqual(['call.queued', 'call.updated']);

    expectStatus(await edit(second.call_id, { call: { priority: 0 } }), 200);
    await sockets[0]?.waitFor('queue_position', ({ position, version }) => position === 1 && version === 1);
    expect(await callRow(test, second.call_id)).toMatchObject({ rank_at: call.inserted_at, version: 3 });
  });

  it('stays with its rank if the request changes nothing', async () => {
    const { call_id } = await tenant.join(await tenant.link(department.id, { priority: 2 }));
    const before = await callRow(test, call_id);
    await changeDepartment(test, department.id, { priority_step: 5 });
    for (const input of [{ priority: 2 }, { priority: null, skills: null }, {}, { skills: [] }]) {
      expectStatus(await edit(call_id, input), 200);
    }
    expect(await callRow(test, call_id)).toEqual(before);
    expectStatus(await edit(call_id, { priority: 1 }), 200);
    expect(await callRow(test, call_id)).toMatchObject({ rank_at: secondsAfter(before.inserted_at, -5) });
  });

  it.each([{ priority: 10 }, { priority: -1 }, { priority: 'high' }])('cannot be %p', async (input) => {
    const { call_id } = await tenant.join(link);
    expectFailure(await edit(call_id, input), 422, { code: 'validation_failed' });
  });
});

describe('the skills of a waiting call', () => {
  it('are copied from the link, and a supervisor can replace them', async () => {
    const [english, french] = [await createSkill(tenant), await createSkill(tenant)].sort() as [
      string,
      string,
    ];
    const skills = [
      { skill_id: english, min_level: 2 },
      { skill_id: french, min_level: 5 },
    ];
    const { call_id } = await tenant.join(
      await tenant.link(department.id, { skills: skills.toReversed(), priority: 4 }),
    );
    const details = await tenant.owner.api.get(`/api/v1/calls/${call_id}`);
    expect(details.body.data).toMatchObject({ priority: 4, skills });
    expect(await entryOf(test, call_id)).toMatchObject({ skill_ids: [english, french], min_levels: [2, 5] });

    const replaced = [{ skill_id: french.toUpperCase(), min_level: 1 }];
    const answer = await edit(call_id, { skills: replaced });
    expectStatus(answer, 200);
    expect(answer.body.data).toMatchObject({ priority: 4, skills: [{ skill_id: french, min_level: 1 }] });
    const { updated_at } = await callRow(test, call_id);
    expect(await entryOf(test, call_id)).toMatchObject({
      skill_ids: [french],
      min_levels: [1],
      relax_at: secondsAfter(updated_at, 60),
    });
  });

  it('are required for skill_relax_after since the change, also when the call has returned to the queue', async () => {
    const [old, wanted] = [await createSkill(tenant), await createSkill(tenant)];
    const { call_id, websocket_token } = await tenant.join(await tenant.link(department.id, requiring(old)));
    await connect(websocket_token);
    test.clock.stop();
    test.clock.advance(20);
    expectStatus(await edit(call_id, requiring(wanted)), 200);
    const changed = await callRow(test, call_id);
    test.clock.advance(50);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/assign`), 200);
    await missRingTimeout(test, call_id);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', unanswered_count: 1 });
    const relax_at = secondsAfter(changed.updated_at, 60);
    expect(await entryOf(test, call_id)).toMatchObject({ skill_ids: [wanted], relax_at });
  });

  it('must be skills of the company', async () => {
    const { call_id } = await tenant.join(link);
    const answer = await edit(call_id, { skills: [{ skill_id: someId(), min_level: 1 }] });
    expectFailure(answer, 422, { code: 'validation_failed' });
    expect(answer.body.errors.fields).toEqual({ skills: ['names a skill that does not exist'] });
  });
});

describe('the notes on a call', () => {
  it('are written by its agent while they talk and afterwards, and completing keeps them', async () => {
    const ana = await tenant.member('attendant', [department.id]);
    const { call_id } = await tenant.join(link);
    expectStatus(await ana.api.post(`/api/v1/calls/${call_id}/assign`), 200);
    const notes = async (value: unknown) => ana.api.put(`/api/v1/calls/${call_id}`, { notes: value });
    const answer = await notes('Wants a new card');
    expectStatus(answer, 200);
    expect(answer.body.data).toMatchObject({ id: call_id, status: 'assigned', notes: 'Wants a new card' });
    const { version } = await callRow(test, call_id);
    expectStatus(await notes('Wants a new card'), 200);
    expectStatus(await ana.api.put(`/api/v1/calls/${call_id}`, {}), 200);
    expect(await callRow(test, call_id)).toMatchObject({ version, notes: 'Wants a new card' });
    expectStatus(await ana.api.post(`/api/v1/calls/${call_id}/start`), 200);
    expectStatus(await notes('Has a new card'), 200);
    expectStatus(await ana.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    expect(await callRow(test, call_id)).toMatchObject({ notes: 'Has a new card' });
    expectStatus(await notes('Card sent'), 200);
    expect(await callRow(test, call_id)).toMatchObject({ notes: 'Card sent' });
    expectStatus(await notes(''), 200);
    expect(await callRow(test, call_id)).toMatchObject({ notes: null });
  });

  it('are refused for other attendants, without an agent, and with more than notes; supervisors may write them', async () => {
    const [ana, bob] = [
      await tenant.member('attendant', [department.id]),
      await tenant.member('attendant', [department.id]),
    ];
    const { call_id } = await tenant.join(link);
    const path = `/api/v1/calls/${call_id}`;
    expectFailure(await ana.api.put(path, { notes: 'Early' }), 422, { code: 'invalid_transition' });
    expectStatus(await ana.api.post(`${path}/start`), 200);
    const before = await callRow(test, call_id);
    expectFailure(await bob.api.put(path, { notes: 'Mine' }), 403, { code: 'not_your_call' });
    expectFailure(await ana.api.put(path, { notes: 'Mine', priority: 0 }), 403, { code: 'forbidden' });
    expectFailure(await ana.api.put(path, { skills: [] }), 403, { code: 'forbidden' });
    expectFailure(await edit(call_id, { notes: 'Mine', priority: 5 }), 422, { code: 'invalid_transition' });
    expectFailure(await ana.api.put(path, { notes: 'x'.repeat(10_001) }), 422, { code: 'validation_failed' });
    expect(await callRow(test, call_id)).toEqual(before);
    expectStatus(await edit(call_id, { notes: 'By the owner' }), 200);
    const other = await TestTenant.register(test);
    expectFailure(await other.owner.api.put(path, { notes: 'x' }), 404, { code: 'not_found' });
    await test.db.query('UPDATE calls SET erased_at = now() WHERE id = $1', [call_id]);
    expectFailure(await ana.api.put(path, { notes: 'Again' }), 422, { code: 'call_erased' });
    expect(await callRow(test, call_id)).toMatchObject({ notes: 'By the owner' });
  });
});

describe('a call that does not wait', () => {
  it.each(['assign', 'start', 'complete'])('cannot be changed after %s', async (action) => {
    const { call_id } = await tenant.join(link);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/${action}`), 200);
    const before = await callRow(test, call_id);
    expectFailure(await edit(call_id, { priority: 5 }), 422, { code: 'invalid_transition' });
    expect(await callRow(test, call_id)).toEqual(before);
  });

  it('is not found if there is none', async () => {
    expectFailure(await edit(someId(), { priority: 5 }), 404, { code: 'not_found' });
  });
});

describe('priorities that change while customers join and leave', () => {
  it('leave the positions 1…n, in the order of the ranks', async () => {
    for (let round = 0; round < raceRounds(30); round++) {
      const queue = await tenant.queue({ max_queue_size: 500 });
      const priorityLink = await tenant.link(queue.department.id, { priority: 5 });
      const waiting = await Promise.all(oneTo(8).map(() => tenant.join(queue.link)));
      await Promise.all([
        ...waiting.map(({ call_id }, index) => edit(call_id, { priority: (index * 7) % 10 })),
        ...waiting.map(({ call_id }, index) => edit(call_id, { priority: (index * 3) % 10 })),
        ...oneTo(4).map(() => tenant.join(queue.link)),
        ...oneTo(4).map(() => tenant.join(priorityLink)),
        ...waiting
          .slice(0, 2)
          .map(({ call_id, websocket_token: token }) =>
            test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token }),
          ),
      ]);
      const { rows } = await test.db.query(
        `SELECT c.id, c.rank_at, c.inserted_at, c.priority, e.rank_at AS entry_rank FROM calls c
         JOIN line_entries e ON e.call_id = c.id
         WHERE c.department_id = $1 AND c.status = 'queued' ORDER BY c.rank_at, c.queue_number`,
        [queue.department.id],
      );
      expect(rows).toHaveLength(14);
      for (const { rank_at, inserted_at, priority, entry_rank } of rows) {
        expect(rank_at).toEqual(secondsAfter(inserted_at, -60 * priority));
        expect(entry_rank).toEqual(rank_at);
      }
      const positions = await test.get(Queue).positionsOf(tenant.id, queue.department.id);
      expect(positions.map(({ position }) => position)).toEqual(oneTo(14));
      expect(positions.map(({ call_id }) => call_id)).toEqual(rows.map(({ id }) => id));
    }
  });
});
