import { RoutingDispatcher } from '../../../src/routing/dispatch/routing-dispatcher';
import { RoutingSweep } from '../../../src/routing/dispatch/routing-sweep';
import { StaleAgents } from '../../../src/routing/agents/stale-agents';
import type { Json } from '../http/api';
import type { Member, TestTenant } from '../builders';
import type { TestSocket } from '../sockets/socket';
import type { TestApp } from '../test-app';
import { until } from '../until';

/** An agent with an open socket. */
export interface ConnectedAgent extends Member {
  socket: TestSocket;
}

type Connect = (token: string) => Promise<TestSocket>;

/** Creates a department that offers its calls, with an access link. */
export function automaticQueue(
  tenant: TestTenant,
  input: Record<string, unknown> = {},
): Promise<{ department: Json; link: Json }> {
  return tenant.queue({ routing: 'automatic', ...input });
}

/** Creates an agent of the departments and connects a socket, which makes them available. */
export async function availableAgent(
  tenant: TestTenant,
  connect: Connect,
  departmentIds: string[],
): Promise<ConnectedAgent> {
  const member = await tenant.member('attendant', departmentIds);
  return { ...member, socket: await connect(member.token) };
}

/** Waits until the agent has a pending offer. @param callId of this call */
export function pendingOffer({ api }: Pick<Member, 'api'>, callId?: string): Promise<Json> {
  return until(
    async () => {
      const answer = await api.get('/api/v1/offers');
      return (answer.body.data as Json[]).find(({ call_id }) => callId === undefined || call_id === callId);
    },
    () => `the agent got no offer${callId ? ` of ${callId}` : ''}`,
  );
}

/** The offers of a call, the oldest first. */
export async function offersOf({ db }: TestApp, callId: string): Promise<Json[]> {
  const { rows } = await db.query('SELECT * FROM offers WHERE call_id = $1 ORDER BY offered_at, id', [
    callId,
  ]);
  return rows;
}

/** Waits until the agent's state, as it was announced last, is this one. @returns their row */
export function untilState({ db }: TestApp, userId: string, state: string): Promise<Json> {
  let found: string | undefined;
  return until(
    async () => {
      const { rows } = await db.query('SELECT * FROM presences WHERE user_id = $1', [userId]);
      found = rows[0]?.state;
      return found === state ? rows[0] : undefined;
    },
    () => `the agent is ${found} instead of ${state}`,
  );
}

/**
 * Stops the distribution of calls of an application of the spec's own: for specs that set the states of agents by SQL, which
 * the application would correct when it offers them calls.
 */
export async function stopDistribution(test: TestApp): Promise<void> {
  if (test.isShared) throw new Error('Other specs need the distribution of the shared application');
  for (const provider of [RoutingSweep, StaleAgents, RoutingDispatcher]) {
    await test.get<RoutingSweep | StaleAgents | RoutingDispatcher>(provider).onModuleDestroy();
  }
}
