import { expectStatus, type Member, TestTenant } from '../support/builders';
import { automaticQueue, availableAgent, offersOf, untilState } from '../support/contexts/offers';
import { expectRoutingConsistent } from '../support/contexts/routing-consistency';
import { cloneDatabase, connectionPool, type TestConnection } from '../support/database/database';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { raceRounds } from '../support/race-rounds';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { TestSocket } from '../support/sockets/socket';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const GENEROUS_LIMITS = {
  AUTH_RATE_LIMIT: '100000',
  AUTH_ADDRESS_RATE_LIMIT: '100000',
  PUBLIC_RATE_LIMIT: '100000',
  API_RATE_LIMIT: '100000',
};

/** Each kills an instance, which takes seconds: all rounds are hundreds of offers in tens of kills. */
const ROUNDS = raceRounds(10, 1, 1);
/** The pending offers of a killed instance. */
const OFFERS = raceRounds(20, 3, 3);
/** Rounds of a call that was not offered yet. */
const UNOFFERED_ROUNDS = raceRounds(20, 3, 3);
const TIMEOUT_MS = 600_000;

/** Two instances on one database. They share nothing else, so each learns what the other did from the database alone. */
let killed: ServiceProcess;
let survivor: ServiceProcess;
let test: TestApp;
let tenant: TestTenant;
let db: TestConnection;
let variables: Record<string, string>;
const dataDir = new DataDir();
let database: Awaited<ReturnType<typeof cloneDatabase>>;

beforeAll(async () => {
  await ensureBuilt();
  database = await cloneDatabase();
  db = connectionPool(database.url);
  variables = { DATABASE_URL: database.url, DATA_DIR: dataDir.path, ...GENEROUS_LIMITS };
  survivor = await ServiceProcess.start(variables);
  test = { api: survivor.api, url: survivor.url, db } as TestApp;
  tenant = await TestTenant.register(test);
}, 120_000);

beforeEach(async () => {
  killed = await ServiceProcess.start(variables);
});

afterEach(() => expectRoutingConsistent(test, tenant));

afterAll(async () => {
  await stopServices();
  await db.end();
  await database.drop();
  dataDir.remove();
});

/** A customer joins by the instance that is going to be killed, again and again while it is too busy. */
function join({ token }: Json): Promise<string> {
  return until(async () => {
    const answer = await killed.api.post(`/api/v1/call/${token}/join`, { name: 'Ana' });
    if (answer.status === 503) return undefined;
    expectStatus(answer, 200);
    return answer.body.data.call_id;
  });
}

/**
 * Waits until each of these calls was offered at least so many times, the last time to one of these agents. An offer that has
 * expired meanwhile counts, because a busy machine may take longer than its seconds.
 */
async function untilOfferedTo(agents: Member[], calls: string[], times: number): Promise<void> {
  await until(
    async () => {
      const { rows } = await db.query(
        `SELECT call_id FROM offers WHERE call_id = ANY ($1) GROUP BY call_id
         HAVING count(*) >= $3 AND (array_agg(user_id ORDER BY offered_at DESC, id DESC))[1] = ANY ($2)`,
        [calls, agents.map(({ id }) => id), times],
      );
      return rows.length === calls.length;
    },
    () => `the calls were not offered to the agents; the log says ${survivor.output}`,
  );
}

/** Waits until the call is offered to the agent, while its customer polls. */
async function untilOffered(callId: string, { id }: Member): Promise<void> {
  await until(
    async () => {
      await survivor.api.get(`/api/v1/call/status/${callId}`);
      const { status, user_id } = (await offersOf(test, callId)).at(-1) ?? {};
      return status === 'pending' && user_id === id;
    },
    () => `the call was not offered to the agent; the log says ${survivor.output}`,
  );
}

const connectKilled = (token: string) => TestSocket.connect(killed.url, token);
/** An agent who missed an offer is paused until they say otherwise. */
const makeAvailable = async ({ id, token }: Member) =>
  expectStatus(await survivor.api.as(token).put(`/api/v1/users/${id}/state`, { state: 'available' }), 200);
const complete = (callId: string) => tenant.owner.api.post(`/api/v1/calls/${callId}/complete`);
const connectSurvivor = (token: string) => TestSocket.connect(survivor.url, token);

it.each([
  ['expire', 5, { status: 'expired' }],
  ['are withdrawn', 120, { status: 'withdrawn', reason: 'agent_offline' }],
])(
  'offers of a killed instance %s, and the calls are offered again by another one',
  async (_how, offer_timeout, ended) => {
    const { department, link } = await automaticQueue(tenant, { offer_timeout, max_queue_size: 1000 });
    const team = () => Promise.all(oneTo(OFFERS).map(() => tenant.member('attendant', [department.id])));
    const [lost, others] = [await team(), await team()];
    for (const round of oneTo(ROUNDS)) {
      if (round > 1) killed = await ServiceProcess.start(variables);
      for (const { token } of lost) await connectKilled(token);
      for (const agent of lost) await makeAvailable(agent);
      const calls = await Promise.all(lost.map(() => join(link)));
      await untilOfferedTo(lost, calls, 1);
      await killed.kill();
      const sockets = await Promise.all(others.map(({ token }) => connectSurvivor(token)));
      // Those of the round before may have expired, too.
      await Promise.all(others.map(makeAvailable));
      await untilOfferedTo(others, calls, 2);
      for (const callId of calls) expect((await offersOf(test, callId))[0]).toMatchObject(ended);
      await Promise.all(lost.map(({ id }) => untilState(test, id, 'offline')));
      await expectRoutingConsistent(test, tenant);
      for (const callId of calls) expectStatus(await complete(callId), 200);
      for (const socket of sockets) socket.close();
      await Promise.all(others.map(({ id }) => untilState(test, id, 'offline')));
    }
  },
  TIMEOUT_MS,
);

it(
  'calls that a killed instance did not offer are offered by another one',
  async () => {
    for (const _ of oneTo(UNOFFERED_ROUNDS)) {
      const { department, link } = await automaticQueue(tenant, { routing: 'manual' });
      const agent = await availableAgent(tenant, connectSurvivor, [department.id]);
      // The instance knows for some seconds that the department is manual, so it does not look for an agent.
      await join(link);
      await db.query(`UPDATE departments SET routing = 'automatic' WHERE id = $1`, [department.id]);
      await killed.kill();
      const [{ id }] = (await db.query('SELECT id FROM calls WHERE department_id = $1', [department.id]))
        .rows;
      await untilOffered(id, agent);
      agent.socket.close();
      killed = await ServiceProcess.start(variables);
    }
  },
  TIMEOUT_MS,
);
