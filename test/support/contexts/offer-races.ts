import { setTimeout as pause } from 'node:timers/promises';
import { expectStatus, type TestTenant } from '../builders';
import type { Answer, Json } from '../http/api';
import { oneTo } from '../database/rows';
import { hasAllRounds } from '../race-rounds';
import { TestSocket } from '../sockets/socket';
import type { TestApp } from '../test-app';
import { until } from '../until';
import { automaticQueue, type ConnectedAgent, untilState } from './offers';

/** A waiting call, and its pending offer. */
export interface OfferedCall {
  call_id: string;
  websocket_token: string;
  offer_id: string;
  agent: ConnectedAgent;
}

/** The rounds of a race that run at the same time, each with its own department and agent. */
const MAX_PARALLEL = 4;

/** How much later than the other one the first side of a race begins, in turn: two rounds let either be first. */
const LEADS_MS = [-9, 9, 0, -6, 6, -3, 3];

/** A department that offers its calls to its only agent. */
export class RaceLine {
  private constructor(
    readonly test: TestApp,
    readonly tenant: TestTenant,
    readonly department: Json,
    readonly link: Json,
    readonly agent: ConnectedAgent,
  ) {}

  static async open(test: TestApp, tenant: TestTenant, input: Json = {}): Promise<RaceLine> {
    return RaceLine.join(test, tenant, await automaticQueue(tenant, { max_queue_size: 1000, ...input }));
  }

  /** Adds another agent to a department. */
  static async join(
    test: TestApp,
    tenant: TestTenant,
    { department, link }: { department: Json; link: Json },
  ): Promise<RaceLine> {
    const member = await tenant.member('attendant', [department.id]);
    const socket = await TestSocket.connect(test.url, member.token);
    return new RaceLine(test, tenant, department, link, { ...member, socket });
  }

  /** A customer joins, and the agent gets an offer of the call. @param link by default that of the department */
  async offered(link = this.link): Promise<OfferedCall> {
    const { call_id, websocket_token } = await this.tenant.join(link);
    return { call_id, websocket_token, offer_id: await this.offerOf(call_id), agent: this.agent };
  }

  /** Waits until the call is offered to the agent. @returns the id of the offer */
  async offerOf(callId: string): Promise<string> {
    const { offer } = await this.agent.socket.waitFor('offer', ({ call }) => call.id === callId);
    return offer.id;
  }

  choose(state: 'available' | 'paused'): Promise<Answer> {
    return this.agent.api.put(`/api/v1/users/${this.agent.id}/state`, { state });
  }

  /** Ends all calls of the department and those of the agent, and makes the agent available. */
  async reset(): Promise<void> {
    await this.endCalls();
    expectStatus(await this.choose('available'), 200);
    await untilState(this.test, this.agent.id, 'available');
    this.agent.socket.received.length = 0;
  }

  /** Ends all calls of the department and those of the agent. */
  async endCalls(): Promise<void> {
    const { rows } = await this.test.db.query<{ id: string }>(
      `SELECT id FROM calls WHERE tenant_id = $1 AND status IN ('queued', 'assigned', 'active')
         AND (department_id = $2 OR user_id = $3)`,
      [this.tenant.id, this.department.id, this.agent.id],
    );
    for (const { id } of rows) {
      const answer = await this.tenant.owner.api.post(`/api/v1/calls/${id}/complete`);
      // The deletion of the department may have cancelled it meanwhile.
      if (answer.body.errors?.code !== 'invalid_transition') expectStatus(answer, 200);
    }
  }

  close(): void {
    this.agent.socket.close();
  }
}

/** Opens departments in which rounds of a race run at the same time. */
export function raceLines(
  test: TestApp,
  tenant: TestTenant,
  rounds: number,
  input: Json = {},
): Promise<RaceLine[]> {
  const count = Math.min(rounds, MAX_PARALLEL);
  return Promise.all(oneTo(count).map(() => RaceLine.open(test, tenant, input)));
}

/**
 * Runs the rounds of a race, some at the same time, and resets the line after each.
 * @param play returns how the round ended
 * @returns how many rounds ended each way
 */
export async function playRounds(
  lines: readonly RaceLine[],
  rounds: number,
  play: (line: RaceLine, round: number) => Promise<string>,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  let next = 0;
  const playOn = async (line: RaceLine) => {
    while (next < rounds) {
      const outcome = await play(line, next++);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      await line.reset();
    }
  };
  await Promise.all(lines.map(playOn));
  return outcomes;
}

/** Checks that each of these ends was seen, if all rounds were played, and no other one. */
export function expectOutcomes(outcomes: Record<string, number>, expected: string[]): void {
  expect(expected).toEqual(expect.arrayContaining(Object.keys(outcomes)));
  if (hasAllRounds()) expect(Object.keys(outcomes).toSorted()).toEqual(expected.toSorted());
}

async function after<T>(ms: number, step: () => Promise<T>): Promise<T> {
  if (ms > 0) await pause(ms);
  return step();
}

/**
 * Begins both, one of them some milliseconds later, so that either can be first.
 * @param stretch how many times later, for a side that decides long after it begins
 */
export function race<One, Other>(
  round: number,
  one: () => Promise<One>,
  other: () => Promise<Other>,
  stretch = 1,
): Promise<[One, Other]> {
  const lead = (LEADS_MS[round % LEADS_MS.length] ?? 0) * stretch;
  return Promise.all([after(lead, one), after(-lead, other)]);
}

export const accept = ({ agent, offer_id }: OfferedCall): Promise<Answer> =>
  agent.api.post(`/api/v1/offers/${offer_id}/accept`);

/**
 * Checks that the answer to an acceptance is what happened: either the call is active with the agent, or the offer has
 * ended in another way.
 * @returns how the offer ended: `accepted`, or its status and reason
 */
export async function outcomeOf(
  { db }: TestApp,
  { call_id, offer_id, agent }: OfferedCall,
  answer: Answer,
): Promise<string> {
  const { rows } = await db.query(
    `SELECT o.status, o.reason, c.status AS call_status, c.user_id FROM offers o JOIN calls c ON c.id = o.call_id
     WHERE o.id = $1`,
    [offer_id],
  );
  const [{ status, reason, call_status, user_id }] = rows;
  if (status === 'accepted') {
    expect([answer.status, call_status, user_id]).toEqual([200, 'active', agent.id]);
    return 'accepted';
  }
  // A job ends the offers of a deleted department; until then the database refuses the call itself.
  const codes = reason === 'department_changed' ? ['offer_ended', 'invalid_transition'] : ['offer_ended'];
  expect(answer.status).toBe(422);
  expect(codes).toContain(answer.body.errors?.code);
  expect([call_id, call_status, user_id]).not.toEqual([call_id, 'active', agent.id]);
  return reason === null ? status : `${status} ${reason}`;
}

/** Waits until the offer has ended. */
export async function untilEnded({ db }: TestApp, { offer_id }: OfferedCall): Promise<void> {
  await until(
    async () => {
      const { rows } = await db.query(`SELECT FROM offers WHERE id = $1 AND status <> 'pending'`, [offer_id]);
      return rows.length === 1;
    },
    () => `the offer ${offer_id} is still pending`,
  );
}
