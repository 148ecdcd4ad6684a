import { AgentsOfCalls } from '../../src/routing/dispatch/agents-of-calls';
import { RoutingSweep } from '../../src/routing/dispatch/routing-sweep';
import { TenantRouter } from '../../src/routing/dispatch/tenant-router';
import { wakeOf } from '../../src/routing/dispatch/wake';
import { StaleAgents } from '../../src/routing/agents/stale-agents';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { callbackRequested, cancelCallback } from '../support/contexts/callbacks';
import { changeCall, entryOf, insertWaitingCalls } from '../support/contexts/line';
import {
  automaticQueue,
  availableAgent,
  type ConnectedAgent,
  pendingOffer,
  untilState,
} from '../support/contexts/offers';
import { setDepartment } from '../support/contexts/overflow';
import { missRingTimeout } from '../support/contexts/ring-timeouts';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { transfer } from '../support/contexts/transfers';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Tokens outlast the times that pass, and polls are recorded for the line alone. */
const ENV = { ACCESS_TOKEN_TTL: '86400', QUEUE_ABSENCE_SECONDS: '86400' };

let test: TestApp;
let tenant: TestTenant;
const { connect } = closingSockets(() => test.url);

/** Without the sweep, which would find within a second what no wake-up has reported. */
beforeAll(async () => {
  test = await startTestApp({ env: ENV });
  await test.get(RoutingSweep).onModuleDestroy();
  tenant = await TestTenant.register(test);
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

type Queue = { department: Json; link: { token: string } };

const automatic = (input: Json = {}) => automaticQueue(tenant, input) as Promise<Queue>;
const agentOf = (...departments: Json[]): Promise<ConnectedAgent> =>
  availableAgent(
    tenant,
    connect,
    departments.map(({ id }) => id),
  );
const put = async (path: string, body: Json) =>
  expectStatus(await tenant.owner.api.put(`/api/v1/${path}`, body), 200);
const act = async ({ api }: { api: ConnectedAgent['api'] }, path: string, body?: Json) =>
  expectStatus(await api.post(`/api/v1/${path}`, body), 200);
const choose = async ({ id, api }: ConnectedAgent, state: string) =>
  expectStatus(await api.put(`/api/v1/users/${id}/state`, { state }), 200);
const requiring = (skill_id: string) => ({ skills: [{ skill_id, min_level: 1 }] });

/** A customer with a socket waits. @returns the id of the call */
async function wait(link: { token: string }): Promise<string> {
  const { call_id, websocket_token } = await tenant.join(link);
  await connect(websocket_token);
  return call_id;
}

/** A customer waits whose call needs a skill. */
async function waitForSkill({ department }: Queue, skillId: string): Promise<string> {
  return wait((await tenant.link(department.id, requiring(skillId))) as { token: string });
}

/** A customer waits whose call is kept for an agent who is being offered another one. */
async function waitReserved({ link }: Queue): Promise<{ callId: string; kept: ConnectedAgent }> {
  const kept = await agentOf();
  await test.db.query('UPDATE access_links SET reserved_user_id = $2 WHERE token = $1', [
    link.token,
    kept.id,
  ]);
  const { link: busy } = await automatic();
  const { call_id } = await tenant.join(busy);
  expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/offer`, { user_id: kept.id }), 201);
  await untilState(test, kept.id, 'offered');
  return { callId: await wait(link), kept };
}

/** A company whose plan allows three calls at a time, two of which are active. */
async function limitedCompany(): Promise<{ company: TestTenant; manual: Json }> {
  const company = await TestTenant.register(test, 'basic');
  const manual = await company.queue();
  for (const _ of [1, 2]) await startedCall(company, manual.link as { token: string });
  return { company, manual };
}

/** A call of an agent without a socket, who is not available afterwards. */
async function startedCall(company: TestTenant, link: { token: string }): Promise<string> {
  const { call_id } = await company.join(link);
  await act(await company.member(), `calls/${call_id}/start`);
  return call_id;
}

/** Who gets the offer, and what lets it be made. */
interface Scene {
  agent: ConnectedAgent;
  /** @returns the id of the call */
  trigger: () => Promise<string>;
}

const SCENES: Record<string, () => Promise<Scene>> = {
  'a customer joins': async () => {
    const { department, link } = await automatic();
    return { agent: await agentOf(department), trigger: async () => (await tenant.join(link)).call_id };
  },
  'a call returns whose agent did not start it': async () => {
    const { department, link } = await automatic();
    const callId = await wait(link);
    await act(tenant.owner, `calls/${callId}/assign`);
    const agent = await agentOf(department);
    return { agent, trigger: async () => (await missRingTimeout(test, callId), callId) };
  },
  'a call is transferred to the department': async () => {
    const { department } = await automatic();
    const callId = await wait((await tenant.queue()).link as { token: string });
    await act(tenant.owner, `calls/${callId}/start`);
    const agent = await agentOf(department);
    const target = { department_id: department.id };
    return { agent, trigger: async () => (await transfer(tenant.owner, callId, target), callId) };
  },
  'a supervisor changes the skills that a call requires': async () => {
    const queue = await automatic();
    const callId = await waitForSkill(queue, await createSkill(tenant));
    const agent = await agentOf(queue.department);
    return { agent, trigger: async () => (await put(`calls/${callId}`, { skills: [] }), callId) };
  },
  'a call overflows to the department': async () => {
    const [{ department }, target] = [await automatic(), await automatic()];
    const callId = await wait((await tenant.link(department.id)) as { token: string });
    const agent = await agentOf(target.department);
    const overflow = { overflow_after: 0, overflow_department_id: target.department.id };
    return { agent, trigger: async () => (await setDepartment(tenant, department, overflow), callId) };
  },
  'an absent customer connects': async () => {
    const { department, link } = await automatic();
    const { call_id, websocket_token } = await tenant.join(link);
    (await connect(websocket_token)).close();
    await until(async () => !(await entryOf(test, call_id)).present);
    const agent = await agentOf(department);
    return { agent, trigger: async () => (await connect(websocket_token), call_id) };
  },
  'an absent customer polls': async () => {
    const { department, link } = await automatic();
    const { call_id } = await tenant.join(link);
    const poll = async () => expectStatus(await test.api.get(`/api/v1/call/status/${call_id}`), 200);
    // The first one moves the absence deadline of the call, which is an event of its own.
    await poll();
    test.clock.advance(31);
    const agent = await agentOf(department);
    return { agent, trigger: async () => (await poll(), call_id) };
  },
  'a customer takes a callback back': async () => {
    const { department, link } = await automatic({ callback_enabled: true });
    const entry = await tenant.join(link);
    await callbackRequested(test, entry);
    const agent = await agentOf(department);
    const cancel = async () => expectStatus(await cancelCallback(test, entry), 204);
    return { agent, trigger: async () => (await cancel(), entry.call_id) };
  },
  'the required skills are relaxed': async () => {
    const queue = await automatic();
    const callId = await waitForSkill(queue, await createSkill(tenant));
    const agent = await agentOf(queue.department);
    return { agent, trigger: async () => (test.clock.advance(61), callId) };
  },
  'the time ends for which a call is kept for another agent': async () => {
    // The offer that keeps the other agent busy lasts longer.
    const queue = await automatic({ preferred_agent_wait: 10 });
    const { callId } = await waitReserved(queue);
    const agent = await agentOf(queue.department);
    return { agent, trigger: async () => (test.clock.advance(11), callId) };
  },
  'the agent pauses for whom a call is kept': async () => {
    const queue = await automatic();
    const { callId, kept } = await waitReserved(queue);
    const agent = await agentOf(queue.department);
    return { agent, trigger: async () => (await choose(kept, 'paused'), callId) };
  },
  'the agent goes offline for whom a call is kept': async () => {
    const queue = await automatic();
    const { callId, kept } = await waitReserved(queue);
    const agent = await agentOf(queue.department);
    return { agent, trigger: async () => (kept.socket.close(), callId) };
  },
  'a colleague declines': async () => {
    const { department, link } = await automatic();
    const colleague = await agentOf(department);
    const callId = await wait(link);
    const { id } = await pendingOffer(colleague);
    const agent = await agentOf(department);
    return { agent, trigger: async () => (await act(colleague, `offers/${id}/decline`), callId) };
  },
  'an offer ends that the plan counted': async () => {
    const { company } = await limitedCompany();
    const queue = await automaticQueue(company);
    const skills = [await createSkill(company), await createSkill(company)];
    const agents: ConnectedAgent[] = [];
    const calls: string[] = [];
    for (const skill of skills) {
      const agent = await availableAgent(company, connect, [queue.department.id]);
      await giveSkills(company, agent.id, { [skill]: 1 });
      agents.push(agent);
      const link = await company.link(queue.department.id, requiring(skill));
      calls.push((await company.join(link as { token: string })).call_id);
      if (agents.length === 1) await pendingOffer(agent);
    }
    const [first, agent] = agents as [ConnectedAgent, ConnectedAgent];
    const { id } = await pendingOffer(first);
    return { agent, trigger: async () => (await act(first, `offers/${id}/decline`), calls[1] ?? '') };
  },
  ...Object.fromEntries(
    ['ends', 'is transferred'].map((how) => [
      `a call ${how} that the plan counted`,
      async () => {
        const { company, manual } = await limitedCompany();
        const active = await startedCall(company, manual.link);
        const { department, link } = await automaticQueue(company);
        const agent = await availableAgent(company, connect, [department.id]);
        const { call_id } = await company.join(link as { token: string });
        const { id } = (await company.queue()).department;
        const leave = async () =>
          how === 'ends'
            ? act(company.owner, `calls/${active}/complete`)
            : transfer(company.owner, active, { department_id: id });
        return { agent, trigger: async () => (await leave(), call_id) };
      },
    ]),
  ),
  'an agent connects': async () => {
    const { department, link } = await automatic();
    const callId = await wait(link);
    const agent = { ...(await tenant.member('attendant', [department.id])) } as ConnectedAgent;
    return { agent, trigger: async () => (await connect(agent.token), callId) };
  },
  'an agent is back from a pause': async () => {
    const { department, link } = await automatic();
    const agent = await agentOf(department);
    await choose(agent, 'paused');
    const callId = await wait(link);
    return { agent, trigger: async () => (await choose(agent, 'available'), callId) };
  },
  ...Object.fromEntries(
    ['completes a call', 'finishes the wrap-up', 'has wrapped up for long enough'].map((how) => [
      `an agent ${how}`,
      async () => {
        const { department, link } = await automatic();
        const manual = await tenant.queue(how === 'completes a call' ? {} : { wrap_up_time: 30 });
        const agent = await agentOf(department);
        const active = (await tenant.join(manual.link)).call_id;
        await act(agent, `calls/${active}/start`);
        const callId = await wait(link);
        const complete = () => act(agent, `calls/${active}/complete`);
        if (how === 'completes a call') return { agent, trigger: async () => (await complete(), callId) };
        await complete();
        const end = async () => {
          if (how === 'finishes the wrap-up') await act(agent, 'users/me/wrap-up/finish');
          else test.clock.advance(31);
        };
        return { agent, trigger: async () => (await end(), callId) };
      },
    ]),
  ),
  'an agent joins the department': async () => {
    const { department, link } = await automatic();
    const [agent, callId] = [await agentOf(), await wait(link)];
    const user = { department_ids: [department.id] };
    return { agent, trigger: async () => (await put(`users/${agent.id}`, { user }), callId) };
  },
  'an agent gains a skill': async () => {
    const [queue, skill] = [await automatic(), await createSkill(tenant)];
    const callId = await waitForSkill(queue, skill);
    const agent = await agentOf(queue.department);
    return { agent, trigger: async () => (await giveSkills(tenant, agent.id, { [skill]: 1 }), callId) };
  },
  'the department becomes automatic': async () => {
    const { department, link } = await automatic({ routing: 'manual' });
    const [agent, callId] = [await agentOf(department), await wait(link)];
    const automated = { routing: 'automatic' };
    return { agent, trigger: async () => (await setDepartment(tenant, department, automated), callId) };
  },
};

describe('without the sweep, a call is offered when', () => {
  it.each(Object.entries(SCENES))('%s', async (_when, begin) => {
    const { agent, trigger } = await begin();
    expect((await agent.api.get('/api/v1/offers')).body.data).toEqual([]);
    const callId = await trigger();
    expect(await pendingOffer(agent, callId)).toMatchObject({ user_id: agent.id, status: 'pending' });
  });
});

const wake = (callIds: string[]) => test.get(TenantRouter).run(wakeOf(tenant.id, { call_ids: callIds }));

describe('one wake-up', () => {
  const TEAM = 25;
  let queues: Queue[];
  let queue: Queue;
  let team: Member[];

  /** Each test has a department; all of them have the same agents. */
  beforeAll(async () => {
    queues = [await automatic(), await automatic()];
    const ids = queues.map(({ department }) => department.id);
    team = [];
    for (const _ of oneTo(TEAM)) team.push(await tenant.member('attendant', ids));
  });

  beforeEach(async () => {
    queue = queues.pop() as Queue;
    await Promise.all(team.map(({ token }) => connect(token)));
    for (const { id } of team) await untilState(test, id, 'available');
  });

  afterEach(() => setDepartment(tenant, queue.department, { routing: 'manual' }));

  /** Adds as many calls as there are agents, which nothing has reported. @returns their ids */
  async function insertCalls(): Promise<string[]> {
    await insertWaitingCalls(test, tenant.id, queue.department.id, TEAM);
    const { rows } = await test.db.query('SELECT id FROM calls WHERE department_id = $1', [
      queue.department.id,
    ]);
    return rows.map(({ id }) => id);
  }

  async function expectAllOffered(callIds: string[]): Promise<void> {
    const offersOfCalls = async (): Promise<Json[]> => {
      const text = `SELECT call_id, user_id FROM offers WHERE call_id = ANY ($1) AND status = 'pending'`;
      return (await test.db.query(text, [callIds])).rows;
    };
    // Agents who have just connected may be served by a run of their own.
    const rows = await until(
      async () => {
        const offers = await offersOfCalls();
        return offers.length >= callIds.length && offers;
      },
      () => 'some calls are not offered',
    );
    expect(rows.map(({ call_id }) => call_id).toSorted()).toEqual(callIds.toSorted());
    expect(rows.map(({ user_id }) => user_id).toSorted()).toEqual(team.map(({ id }) => id).toSorted());
  }

  it('offers each of many calls to an agent of its own, whom it finds by few searches', async () => {
    const callIds = await insertCalls();
    const searches = jest.spyOn(test.get(AgentsOfCalls), 'find');
    await wake(callIds);
    const count = searches.mock.calls.length;
    searches.mockRestore();
    await expectAllOffered(callIds);
    expect(count).toBeLessThanOrEqual(2);
  });

  it('offers a call although many others come before it', async () => {
    const callIds = await insertCalls();
    const last = callIds[0] ?? '';
    await changeCall(test, last, { rank_at: new Date(Number(test.clock.now()) + 60_000) });
    await wake([last]);
    await expectAllOffered(callIds);
  });
});

describe('one sweep', () => {
  /** More than one statement looks at. */
  const COLLEAGUES = 600;

  /** Adds available agents without sockets to the department, who are looked at before all others. */
  async function insertColleagues({ id }: Json): Promise<void> {
    await test.get(StaleAgents).onModuleDestroy();
    await test.db.query(
      `WITH added AS (INSERT INTO users (id, tenant_id, name, email, role)
         SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'Agent ' || n, n || '@sweep.example',
           'attendant' FROM generate_series(1, $3::int) n RETURNING id)
       INSERT INTO department_members (tenant_id, department_id, user_id) SELECT $1, $2, id FROM added`,
      [tenant.id, id, COLLEAGUES],
    );
    await test.db.query(
      `UPDATE presences p SET state = 'available', idle_since = now() FROM users u
       WHERE u.id = p.user_id AND u.email LIKE '%@sweep.example'`,
    );
  }

  it('finds the only one of many available agents who can take a call', async () => {
    const [queue, skill] = [await automatic(), await createSkill(tenant)];
    const agent = await agentOf(queue.department);
    await giveSkills(tenant, agent.id, { [skill]: 1 });
    await choose(agent, 'paused');
    await insertColleagues(queue.department);
    const callId = await waitForSkill(queue, skill);
    // Without a message that says so.
    await test.db.query(`UPDATE presences SET state = 'available', chosen = 'online' WHERE user_id = $1`, [
      agent.id,
    ]);
    await test.get(RoutingSweep).sweep();
    expect(await pendingOffer(agent, callId)).toMatchObject({ kind: 'line' });
  });
});
