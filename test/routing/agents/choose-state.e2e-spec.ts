import { expectStatus, type Member, someId, TestTenant } from '../../support/builders';
import { agentOf, expectAnnounced, stateEventsOf } from '../../support/contexts/agents';
import { auditedAbout } from '../../support/contexts/audit-rows';
import { expectFailure } from '../../support/database/failures';
import type { Answer, Json } from '../../support/http/api';
import { sharedTestApp } from '../../support/shared-app';
import { closingSockets } from '../../support/sockets/connect-sockets';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const REASONS = ['Lunch', 'Training'];

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let agent: Member;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', { pause_reasons: REASONS }), 200);
  ({ department } = await tenant.queue());
});

beforeEach(async () => {
  agent = await tenant.member('attendant', [department.id]);
});

afterEach(() => expectAnnounced(test, tenant.id));

afterAll(() => test.close());

const choose = (body: Json, as = agent, of = agent) => as.api.put(`/api/v1/users/${of.id}/state`, body);

const idsIn = (agents: Json[]) => agents.map(({ user_id }) => user_id);

const data = (answer: Answer): Json => {
  expectStatus(answer, 200);
  return answer.body.data;
};

describe('the state that an agent chooses', () => {
  it('is paused with a reason, or available', async () => {
    await connect(agent.token);
    const paused = data(await choose({ state: 'paused', reason: 'Lunch' }));
    expect(paused).toMatchObject({ user_id: agent.id, state: 'paused', reason: 'Lunch' });
    const available = data(await choose({ state: 'available', reason: 'Never read' }));
    expect(available).toMatchObject({ state: 'available', reason: null });
    expect(available.idle_since).toBe(available.since);
    expect(data(await choose({ state: 'paused' }))).toMatchObject({ state: 'paused', reason: null });
    expect(data(await choose({ state: 'paused', reason: 'Training' })).reason).toBe('Training');
  });

  it('changes nothing when it is chosen again', async () => {
    await connect(agent.token);
    const first = data(await choose({ state: 'paused', reason: 'Lunch' }));
    const events = await stateEventsOf(test, agent.id);
    expect(data(await choose({ state: 'paused', reason: 'Lunch' }))).toEqual(first);
    expect(await stateEventsOf(test, agent.id)).toEqual(events);
    const chosen = (await auditedAbout(test, agent.id)).filter(
      ({ action }) => action === 'user.presence_chosen',
    );
    expect(chosen).toEqual([expect.objectContaining({ user_id: agent.id, details: { chosen: 'away' } })]);
  });

  it('is kept while the agent is offline', async () => {
    expect(data(await choose({ state: 'paused', reason: 'Lunch' }))).toMatchObject({
      state: 'offline',
      reason: null,
      idle_since: null,
    });
    await connect(agent.token);
    expect(await agentOf(tenant, agent.id)).toMatchObject({ state: 'paused', reason: 'Lunch' });
  });

  it('has only a reason of the company', async () => {
    for (const reason of ['Holiday', 'lunch', 'missed_offer']) {
      const refused = await choose({ state: 'paused', reason });
      expectFailure(refused, 422, { code: 'validation_failed', field: 'reason' });
    }
    expectFailure(await choose({ state: 'away' }), 422, { code: 'validation_failed', field: 'state' });
    expectFailure(await choose({}), 422, { code: 'validation_failed', field: 'state' });
  });

  it('can be chosen by a supervisor of the company, not by a colleague', async () => {
    await connect(agent.token);
    const supervisor = await tenant.member('supervisor');
    const colleague = await tenant.member('attendant', [department.id]);
    expect(data(await choose({ state: 'paused', reason: 'Training' }, supervisor)).state).toBe('paused');
    expectFailure(await choose({ state: 'available' }, colleague), 403, { code: 'forbidden' });
    const other = await TestTenant.register(test);
    expectFailure(await choose({ state: 'available' }, other.owner), 404, { code: 'not_found' });
    const unknown = await supervisor.api.put(`/api/v1/users/${someId()}/state`, { state: 'available' });
    expectFailure(unknown, 404, { code: 'not_found' });
    expect((await agentOf(tenant, agent.id)).state).toBe('paused');
    const row = (await auditedAbout(test, agent.id)).find(({ action }) => action === 'user.presence_chosen');
    expect(row?.user_id).toBe(supervisor.id);
  });
});

describe('supervisors, managers and owners', () => {
  const NOT_TAKING = { state: 'paused', reason: 'not_taking_calls' };

  it('are paused until they choose, and their choice is kept', async () => {
    const { owner } = await TestTenant.register(test);
    const [supervisor, manager] = [await tenant.member('supervisor'), await tenant.member('manager')];
    for (const member of [supervisor, manager, owner]) {
      const socket = await connect(member.token);
      const agent = socket.all('snapshot')[0].agents.find(({ user_id }: Json) => user_id === member.id);
      expect(agent).toMatchObject(NOT_TAKING);
      expect(socket.all('snapshot')[0]).toMatchObject({ presence: 'away', has_chosen_state: false });
      expect(await socket.send('set_presence', { presence: 'online' })).toEqual({ ok: true });
      const again = (await connect(member.token)).all('snapshot')[0];
      expect(again).toMatchObject({ presence: 'online', has_chosen_state: true });
    }
  });

  it('get no call offered before they choose to take calls', async () => {
    const { department, link } = await tenant.queue({ routing: 'automatic' });
    const supervisor = await tenant.member('supervisor', [department.id]);
    const socket = await connect(supervisor.token);
    await tenant.join(link);
    const { agents } = (await socket.send('snapshot')).data;
    expect(agents.find(({ user_id }: Json) => user_id === supervisor.id)).toMatchObject(NOT_TAKING);
    expect(socket.all('offer')).toEqual([]);
    data(await choose({ state: 'available' }, supervisor, supervisor));
    await socket.waitFor('offer');
  });

  it('can choose to take no calls, which attendants cannot', async () => {
    const supervisor = await tenant.member('supervisor');
    const socket = await connect(supervisor.token);
    expect(data(await choose(NOT_TAKING, supervisor, supervisor))).toMatchObject(NOT_TAKING);
    expect((await socket.send('snapshot')).data.has_chosen_state).toBe(true);
    const row = (await auditedAbout(test, supervisor.id)).find(
      ({ action }) => action === 'user.presence_chosen',
    );
    expect(row?.details).toEqual({ chosen: 'away' });
    for (const actor of [agent, supervisor]) {
      expectFailure(await choose(NOT_TAKING, actor), 422, { code: 'validation_failed', field: 'reason' });
    }
  });

  it('have not chosen when another supervisor pauses them', async () => {
    const supervisor = await tenant.member('supervisor');
    const socket = await connect(supervisor.token);
    expectStatus(await choose({ state: 'paused', reason: 'Lunch' }, tenant.owner, supervisor), 200);
    expect((await socket.send('snapshot')).data).toMatchObject({ presence: 'away', has_chosen_state: false });
    data(await choose({ state: 'paused', reason: 'Lunch' }, supervisor, supervisor));
    expect((await socket.send('snapshot')).data.has_chosen_state).toBe(true);
  });

  it('are available as attendants even if they chose to take no calls, and are asked again later', async () => {
    const member = await tenant.member('supervisor');
    expectStatus(await choose(NOT_TAKING, member, member), 200);
    const rowAs = async (role: string): Promise<Json> => {
      expectStatus(await tenant.owner.api.put(`/api/v1/users/${member.id}`, { role }), 200);
      const sql = 'SELECT chosen, reason, chosen_at FROM presences WHERE user_id = $1';
      return (await test.db.query(sql, [member.id])).rows[0];
    };
    expect(await rowAs('attendant')).toEqual({ chosen: 'online', reason: null, chosen_at: null });
    const again = { chosen: 'away', reason: 'not_taking_calls', chosen_at: null };
    expect(await rowAs('supervisor')).toEqual(again);
  });

  it('begin as their new role does if they have neither chosen nor taken calls', async () => {
    const [fresh, chosen, busy] = [await tenant.member(), await tenant.member(), await tenant.member()];
    data(await choose({ state: 'paused', reason: 'Lunch' }, chosen, chosen));
    data(await choose({ state: 'available' }, chosen, chosen));
    const { call_id } = await tenant.join((await tenant.queue()).link);
    for (const action of ['assign', 'start', 'complete'])
      expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/${action}`), 200);
    await test.db.query('UPDATE call_parts SET user_id = $2 WHERE call_id = $1', [call_id, busy.id]);
    const rowsAs = async (role: string) => {
      for (const { id } of [fresh, chosen, busy])
        expectStatus(await tenant.owner.api.put(`/api/v1/users/${id}`, { role }), 200);
      return Promise.all(
        [fresh, chosen, busy].map(async ({ id }) => {
          const { rows } = await test.db.query('SELECT chosen, reason FROM presences WHERE user_id = $1', [
            id,
          ]);
          return rows[0];
        }),
      );
    };
    const online = { chosen: 'online', reason: null };
    expect(await rowsAs('supervisor')).toEqual([
      { chosen: 'away', reason: 'not_taking_calls' },
      online,
      online,
    ]);
    expect(await rowsAs('attendant')).toEqual([online, online, online]);
  });
});

describe('the socket', () => {
  it('takes the reason of set_presence, and tells colleagues state, reason and since', async () => {
    const colleague = await connect((await tenant.member('attendant', [department.id])).token);
    const socket = await connect(agent.token);
    expect(await socket.send('set_presence', { presence: 'away', reason: 'Lunch' })).toEqual({ ok: true });
    const isOwn = ({ user_id, presence }: Json) => user_id === agent.id && presence === 'away';
    const { since } = await agentOf(tenant, agent.id);
    expect(await colleague.waitFor('presence_changed', isOwn)).toEqual({
      user_id: agent.id,
      presence: 'away',
      state: 'paused',
      reason: 'Lunch',
      since,
      at: expect.stringMatching(/Z$/),
    });
    const refused = await socket.send('set_presence', { presence: 'away', reason: 'Holiday' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
  });

  it('has the agents whom the user may see, and the reasons, in the snapshot', async () => {
    const colleague = await tenant.member('attendant', [department.id]);
    const stranger = await tenant.member('attendant', [(await tenant.department()).id]);
    const inactive = await tenant.member('attendant', [department.id]);
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${inactive.id}`, { active: false }), 200);
    const own = (await (await connect(agent.token)).send('snapshot')).data;
    expect(own.pause_reasons).toEqual(REASONS);
    expect(own.agents.find(({ user_id }: Json) => user_id === agent.id)).toEqual(
      await agentOf(tenant, agent.id),
    );
    expect(idsIn(own.agents)).toEqual(expect.arrayContaining([agent.id, colleague.id]));
    expect(idsIn(own.agents)).not.toContain(stranger.id);
    expect(idsIn(own.agents)).not.toContain(inactive.id);
    const all = (await (await connect(tenant.owner.token)).send('snapshot')).data;
    expect(idsIn(all.agents)).toEqual(
      expect.arrayContaining([agent.id, colleague.id, stranger.id, tenant.owner.id]),
    );
    expect(idsIn(all.agents)).not.toContain(inactive.id);
  });

  it('stays connected with the other tab when one is closed', async () => {
    const [one, other] = [await connect(agent.token), await connect(agent.token)];
    await choose({ state: 'paused', reason: 'Lunch' });
    const before = await agentOf(tenant, agent.id);
    one.close();
    await until(async () => {
      const { rowCount } = await test.db.query('SELECT FROM connections WHERE user_id = $1', [agent.id]);
      return rowCount === 1;
    });
    expect(await agentOf(tenant, agent.id)).toEqual(before);
    expect(await other.send('set_presence', { presence: 'online' })).toEqual({ ok: true });
    await one.waitFor('presence_changed', ({ state }) => state === 'paused');
    await other.waitFor('presence_changed', ({ state }) => state === 'available');
    other.close();
    await until(async () => (await agentOf(tenant, agent.id)).state === 'offline');
  });
});

describe('the list of agents', () => {
  it('has the active users by name, or those of one department', async () => {
    const supervisor = await tenant.member('supervisor');
    const list = async (query = '') => data(await supervisor.api.get(`/api/v1/agents${query}`)) as Json[];
    const all = await list();
    const names = all.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
    expect(all.map(({ user_id }) => user_id)).toEqual(expect.arrayContaining([agent.id, supervisor.id]));
    const own = await tenant.department();
    const member = await tenant.member('attendant', [own.id]);
    expect(await list(`?department_id=${own.id}`)).toEqual([
      {
        user_id: member.id,
        name: member.name,
        state: 'offline',
        reason: null,
        since: null,
        idle_since: null,
        wrap_up_until: null,
        call_id: null,
      },
    ]);
    expect(await list(`?department_id=${someId()}`)).toEqual([]);
  });
});
