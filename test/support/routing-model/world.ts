import { CallSweeper } from '../../../src/calls/machine/call-sweeper';
import { LineEntrySweeper } from '../../../src/calls/line/line-entry-sweeper';
import { OverflowSweeper } from '../../../src/calls/overflow/overflow-sweeper';
import { Queue } from '../../../src/calls/queue/queue';
import { WrapUpSweeper } from '../../../src/routing/agents/wrap-up-sweeper';
import { RoutingSweep } from '../../../src/routing/dispatch/routing-sweep';
import { OfferSweeper } from '../../../src/routing/offers/offer-sweeper';
import { expectStatus, TestTenant } from '../builders';
import { automaticQueue, availableAgent, type ConnectedAgent } from '../contexts/offers';
import {
  expectRoutingConsistent,
  expectRowsConsistent,
  subscribeToRouting,
} from '../contexts/routing-consistency';
import { setDepartment } from '../contexts/overflow';
import { createSkill, giveSkills } from '../contexts/skills';
import type { Answer, Api, Json } from '../http/api';
import { TestSocket } from '../sockets/socket';
import type { TestApp } from '../test-app';
import { until } from '../until';
import { type ModelLink, OVERFLOW_SECONDS, RoutingModel, WRAP_UP_SECONDS } from './model';

/** What is stored of the tenant, at one moment. */
export interface Snapshot {
  offers: Json[];
  agents: Json[];
  calls: Json[];
}

const SNAPSHOT = `SELECT
  (SELECT COALESCE(json_agg(o), '[]') FROM (SELECT id, call_id, user_id, kind, status, reason, expires_at FROM offers
    WHERE tenant_id = $1) o) AS offers,
  (SELECT json_agg(p) FROM (SELECT user_id, state FROM presences WHERE tenant_id = $1) p) AS agents,
  (SELECT COALESCE(json_agg(c), '[]') FROM (SELECT id, status, user_id, callback_status FROM calls
    WHERE tenant_id = $1) c) AS calls`;

/** The departments that each agent belongs to at first. */
const MEMBERSHIPS = [[0], [0, 1], [1]];

/** The access links. */
const LINKS: ModelLink[] = [
  { department: 0, priority: 0, needs: 0, reserved: null },
  { department: 0, priority: 5, needs: 0, reserved: null },
  { department: 0, priority: 0, needs: 2, reserved: null },
  { department: 0, priority: 0, needs: 0, reserved: 1 },
  { department: 1, priority: 0, needs: 0, reserved: null },
  { department: 1, priority: 9, needs: 2, reserved: null },
  // The agent is no member of the department at first.
  { department: 1, priority: 0, needs: 2, reserved: 0 },
];

export const SKILL_LEVEL = 3;

/** A call that an agent did not start returns to the line, from which it can overflow. */
const SWEEPERS = [CallSweeper, OverflowSweeper, OfferSweeper, LineEntrySweeper, WrapUpSweeper, RoutingSweep];

const HOUR_SECONDS = 3600;

type WorldLink = ModelLink & { token: string };

const endedSweeps = new WeakMap<RoutingSweep, number>();

function countSweeps(routing: RoutingSweep): void {
  if (endedSweeps.has(routing)) return;
  endedSweeps.set(routing, 0);
  const sweep = routing.sweep.bind(routing);
  routing.sweep = async () => {
    await sweep();
    endedSweeps.set(routing, (endedSweeps.get(routing) ?? 0) + 1);
  };
}

/** A company with agents, departments and customers of the real service, whose clock stands still between steps. */
export class RoutingWorld {
  private readonly tokens = new Map<string, string>();
  private readonly customers = new Map<string, TestSocket>();

  private constructor(
    readonly test: TestApp,
    readonly tenant: TestTenant,
    readonly departments: Json[],
    readonly agents: ConnectedAgent[],
    private readonly links: WorldLink[],
    private readonly skill: string,
  ) {}

  static async create(test: TestApp, webhookUrl: string): Promise<RoutingWorld> {
    countSweeps(test.get(RoutingSweep));
    test.clock.reset();
    test.clock.stop();
    const tenant = await TestTenant.register(test);
    await subscribeToRouting(tenant, webhookUrl);
    const skill = await createSkill(tenant);
    // No invitation expires while the steps are performed.
    const callbacks = { callback_enabled: true, callback_window: HOUR_SECONDS };
    const settings = { max_queue_size: 1000, max_wait_time: HOUR_SECONDS, ...callbacks };
    const departments = [
      (await automaticQueue(tenant, settings)).department,
      (await automaticQueue(tenant, { ...settings, wrap_up_time: WRAP_UP_SECONDS })).department,
    ];
    for (const [index, { id }] of departments.entries()) {
      await setDepartment(
        tenant,
        { id },
        {
          overflow_after: OVERFLOW_SECONDS,
          overflow_department_id: departments[1 - index]?.id,
        },
      );
    }
    const agents = [];
    for (const indexes of MEMBERSHIPS) {
      const ids = indexes.map((index) => departments[index].id);
      agents.push(await availableAgent(tenant, (token) => TestSocket.connect(test.url, token), ids));
    }
    const links = [];
    for (const link of LINKS) {
      const skills = link.needs ? [{ skill_id: skill, min_level: link.needs }] : [];
      const { priority, reserved } = link;
      const { id, token } = await tenant.link(departments[link.department].id, { priority, skills });
      // Otherwise only links of appointments have it.
      if (reserved !== null) {
        await test.db.query('UPDATE access_links SET reserved_user_id = $2 WHERE id = $1', [
          id,
          agents[reserved]?.id,
        ]);
      }
      links.push({ ...link, token });
    }
    return new RoutingWorld(test, tenant, departments, agents, links, skill);
  }

  /** The model of the company as it is created. */
  model(): RoutingModel {
    return new RoutingModel(
      this.now,
      this.departments.map(({ wrap_up_time }) => ({ isAutomatic: true, wrapUpMs: wrap_up_time * 1000 })),
      MEMBERSHIPS.map((departments) => ({
        isConnected: true,
        isPaused: false,
        level: 0,
        departments: new Set(departments),
        wrapUpUntil: null,
      })),
    );
  }

  /** How many sweeps of the service have ended. */
  get sweepCount(): number {
    return endedSweeps.get(this.test.get(RoutingSweep)) ?? 0;
  }

  get now(): number {
    return Number(this.test.clock.now());
  }

  agent(index: number): ConnectedAgent {
    return this.agents[index];
  }

  /** The access link that a random number chooses. */
  link(number: number): WorldLink {
    return this.links[number % this.links.length];
  }

  /** The customer of a call, for requests. */
  customer(callId: string): Api {
    return this.test.api.as(this.tokens.get(callId) ?? '');
  }

  /** Requests something, by default as the owner. @throws Error unless the response has this status */
  async request(method: string, path: string, body?: Json, as = this.tenant.owner.api): Promise<Answer> {
    const answer = await as.send(method, `/api/v1/${path}`, { body });
    expectStatus(answer, 200);
    return answer;
  }

  async join({ token }: WorldLink): Promise<string> {
    const { call_id, websocket_token } = await this.tenant.join({ token });
    this.tokens.set(call_id, websocket_token);
    return call_id;
  }

  /** The customer waits on. */
  async takeCallbackBack(callId: string): Promise<void> {
    expectStatus(await this.customer(callId).delete(`/api/v1/call/callback/${callId}`), 204);
  }

  /** @returns the position that a polling customer is told */
  async poll(callId: string): Promise<number> {
    const answer = await this.test.api.get(`/api/v1/call/status/${callId}`);
    expectStatus(answer, 200);
    return answer.body.data.position;
  }

  async connectCustomer(callId: string): Promise<void> {
    this.customers.set(callId, await TestSocket.connect(this.test.url, this.tokens.get(callId) ?? ''));
  }

  async disconnectCustomer(callId: string): Promise<void> {
    this.customers.get(callId)?.close();
    await this.untilNoSocket('call_id', callId);
  }

  async connectAgent(index: number): Promise<void> {
    const agent = this.agent(index);
    agent.socket = await TestSocket.connect(this.test.url, agent.token);
  }

  async disconnectAgent(index: number): Promise<void> {
    this.agent(index).socket.close();
    await this.untilNoSocket('user_id', this.agent(index).id);
  }

  setSkill(index: number, level: number): Promise<void> {
    return giveSkills(this.tenant, this.agent(index).id, level > 0 ? { [this.skill]: level } : {});
  }

  async setDepartments(index: number, departments: number[]): Promise<void> {
    const department_ids = departments.map((department) => this.departments[department].id);
    await this.request('PUT', `users/${this.agent(index).id}`, { user: { department_ids } });
  }

  async setRouting(department: number, isAutomatic: boolean): Promise<void> {
    const routing = isAutomatic ? 'automatic' : 'manual';
    await this.request('PUT', `departments/${this.departments[department].id}`, { department: { routing } });
  }

  /** Moves the clock, and lets what is due take effect without waiting for the intervals of the service. */
  async advance(seconds: number): Promise<void> {
    this.test.clock.advance(seconds);
    for (const sweeper of SWEEPERS) {
      await this.test.get<{ sweep(): Promise<void> }>(sweeper).sweep();
    }
  }

  async snapshot(): Promise<Snapshot> {
    const { rows } = await this.test.db.query(SNAPSHOT, [this.tenant.id]);
    return rows[0];
  }

  /** The ids of the calls that wait in a department, by their positions. */
  async line(department: number): Promise<string[]> {
    const positions = await this.test.get(Queue).positionsOf(this.tenant.id, this.departments[department].id);
    expect(positions.map(({ position }) => position)).toEqual(positions.map((_, index) => index + 1));
    return positions.map(({ call_id }) => call_id);
  }

  /** The positions of waiting calls, as polls read them, but without the effect of a poll: the customer is not seen. */
  async positions(callIds: string[]): Promise<(number | undefined)[]> {
    const reader = this.test.get(Queue);
    const positions = await Promise.all(callIds.map((id) => reader.positionOf(this.tenant.id, id)));
    return positions.map((one) => one?.position);
  }

  /** Checks that what is stored, what was announced, and the events and deliveries agree. */
  async expectConsistent(): Promise<void> {
    await expectRowsConsistent(this.test, this.tenant);
  }

  /** Ends what is left, and checks that every call has ended and that all records agree. */
  async finish(): Promise<void> {
    await expectRoutingConsistent(this.test, this.tenant);
    const { calls } = await this.snapshot();
    for (const { id, status, callback_status } of calls) {
      if (status === 'queued' && /requested|invited/.test(callback_status)) await this.takeCallbackBack(id);
      if (status === 'assigned' || status === 'active') await this.request('POST', `calls/${id}/complete`);
    }
    await this.advance(2 * HOUR_SECONDS);
    await until(
      async () => {
        const open = (await this.snapshot()).calls.filter(({ status }) =>
          /queued|assigned|active/.test(status),
        );
        return open.length === 0;
      },
      () => 'a call does not end',
    );
    await expectRoutingConsistent(this.test, this.tenant);
  }

  close(): void {
    for (const socket of this.customers.values()) socket.close();
    for (const { socket } of this.agents) socket.close();
    this.test.clock.reset();
  }

  private async untilNoSocket(column: 'call_id' | 'user_id', id: string): Promise<void> {
    await until(async () => {
      const { rows } = await this.test.db.query(`SELECT FROM connections WHERE ${column} = $1`, [id]);
      return rows.length === 0;
    });
  }
}
