import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { cnpj } from 'cpf-cnpj-validator';
import type { PlanName } from '../../src/plans/plan-catalogue';
import { type Answer, type Api, type Json } from './http/api';
import type { RemoteService, TestedService } from './tested-service';
import { Role } from '../../src/platform/access/roles';

export const PASSWORD = 'a long enough passphrase';
/** How often a join is tried again when the service is busy. */
const JOIN_RETRIES = 3;

export interface Member {
  id: string;
  name: string;
  email: string;
  token: string;
  refresh_token: string;
  api: Api;
}

let counter = 0;
const next = () => ++counter;

/** A tenant with its owner, created through the public signup. A paid plan is activated. */
export class TestTenant {
  private constructor(
    private readonly test: RemoteService,
    readonly id: string,
    readonly name: string,
    readonly slug: string,
    readonly owner: Member,
  ) {}

  static register(test: TestedService, plan: PlanName = 'enterprise'): Promise<TestTenant> {
    return TestTenant.signUp(test, plan, (id) => activate(test, id));
  }

  /** @param pay activates a plan that is not free */
  static async signUp(
    test: RemoteService,
    plan: PlanName,
    pay: (tenantId: string) => Promise<void>,
  ): Promise<TestTenant> {
    const number = next();
    const name = `Company ${number}`;
    const email = `owner${number}@example.com`;
    const answer = await test.api.post('/api/signup/register', {
      company_name: name,
      document: cnpj.generate(),
      document_type: 'cnpj',
      admin_name: 'Olga Owner',
      admin_email: email,
      admin_password: PASSWORD,
      plan,
    });
    expectStatus(answer, 201);
    const { id, slug } = answer.body.data.tenant;
    if (plan !== 'free') await pay(id);
    const owner = await login(test, slug, email);
    return new TestTenant(test, id, name, slug, owner);
  }

  /** Creates a user and logs in. */
  async member(role: Role = 'attendant', departmentIds: string[] = []): Promise<Member> {
    const number = next();
    const email = `${role}${number}@example.com`;
    const answer = await this.owner.api.post('/api/v1/users', {
      name: `${role} ${number}`,
      email,
      role,
      password: PASSWORD,
      department_ids: departmentIds,
    });
    expectStatus(answer, 201);
    return login(this.test, this.slug, email);
  }

  async department(input: Record<string, unknown> = {}): Promise<Json> {
    const body = { department: { name: `Department ${next()}`, ...input } };
    const answer = await this.owner.api.post('/api/v1/departments', body);
    expectStatus(answer, 201);
    return answer.body.data;
  }

  async link(departmentId: string, input: Record<string, unknown> = {}): Promise<Json> {
    const answer = await this.owner.api.post('/api/v1/access-links', {
      department_id: departmentId,
      ...input,
    });
    expectStatus(answer, 201);
    return answer.body.data;
  }

  /** Creates a department with an access link into its queue. */
  async queue(input: Record<string, unknown> = {}): Promise<{ department: Json; link: Json }> {
    const department = await this.department(input);
    return { department, link: await this.link(department.id) };
  }

  /**
   * Adds a customer to the queue. Like the customer's page it tries again when the service is busy, which it may be on a
   * loaded machine when many join at once.
   * @returns the response of the join
   */
  async join(link: { token: string }, input: Record<string, unknown> = {}): Promise<Json> {
    const body = { name: `Customer ${next()}`, ...input };
    const post = () => this.test.api.post(`/api/v1/call/${link.token}/join`, body);
    let answer = await post();
    for (let retries = 0; answer.status === 503 && retries < JOIN_RETRIES; retries++) {
      await pause(Number(answer.headers.get('Retry-After')) * 1000);
      answer = await post();
    }
    expectStatus(answer, 200);
    return answer.body.data;
  }
}

/** Logs in by HTTP. @throws Error unless the response is 200 */
export async function login(
  test: RemoteService,
  tenant: string,
  email: string,
  password = PASSWORD,
): Promise<Member> {
  const answer = await test.api.post('/api/auth/login', { tenant, email, password });
  expectStatus(answer, 200);
  const { access_token, refresh_token, user } = answer.body;
  return { ...user, token: access_token, refresh_token, api: test.api.as(access_token) };
}

/** Creates an agent of the departments who is on a call. @param link of the call; by default one of another department */
export async function agentOnCall(tenant: TestTenant, departmentIds: string[], link?: Json): Promise<Member> {
  const agent = await tenant.member('attendant', departmentIds);
  const { call_id } = await tenant.join((link ?? (await tenant.queue()).link) as { token: string });
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
  return agent;
}

/** Activates the plan by SQL as the operator's grant does, so that it also works without an application in this process. */
async function activate({ db }: TestedService, tenantId: string): Promise<void> {
  await db.query(
    `INSERT INTO gateway_events (gateway, event_id, tenant_id, event, kind, payload)
     VALUES ('operator', gen_random_uuid(), $1, 'PLAN_GRANTED', 'granted', '{}')`,
    [tenantId],
  );
  await db.query(`UPDATE subscriptions SET status = 'active' WHERE tenant_id = $1`, [tenantId]);
}

/** @throws Error with the response body when the response has another status */
export function expectStatus(answer: Answer, status: number): void {
  if (answer.status !== status) {
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

/** A random UUID, which identifies nothing in the database. */
export const someId = () => randomUUID();
