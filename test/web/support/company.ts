import { setTimeout } from 'node:timers/promises';
import { Api, type Json } from '../../support/http/api';
import { agentOnCall, type Member, TestTenant } from '../../support/builders';
import { connectionPool, type TestConnection } from '../../support/database/database';
import type { TestedService } from '../../support/tested-service';
import { sharedServers } from './shared-servers';

let db: TestConnection | undefined;

/** Repeats what the service refuses because it is busy, after the time that the answer names: many specs use it at once. */
export class PatientApi extends Api {
  override as(token: string): Api {
    return new PatientApi(this.url, token);
  }

  override async send(...request: Parameters<Api['send']>): ReturnType<Api['send']> {
    const answer = await super.send(...request);
    const seconds = answer.status === 503 ? answer.headers.get('retry-after') : null;
    if (seconds === null) return answer;
    await setTimeout(Number(seconds) * 1000);
    return this.send(...request);
  }
}

/** The shared service for the builders, which use an API and a database. */
export function webTest(servers = sharedServers()): TestedService {
  db ??= connectionPool(servers.databaseUrl);
  return { api: new PatientApi(servers.api_url), url: servers.api_url, db };
}

/** A company whose agents pick calls of one department. */
export interface Company {
  tenant: TestTenant;
  department: Json;
  link: Json;
  agents: Member[];
}

/** A company that calls customers back, with an agent who is on another call: somebody must be there for them. */
export async function createCallingCompany(): Promise<Company> {
  const company = await createCompany({ callback_enabled: true });
  await agentOnCall(company.tenant, [company.department.id]);
  return company;
}

/** Creates a company. @param test the service, by default the shared one */
export async function createCompany(
  { agents = 1, ...department }: { agents?: number } & Record<string, unknown> = {},
  test = webTest(),
): Promise<Company> {
  const tenant = await TestTenant.register(test);
  const queue = await tenant.queue(department);
  const members: Member[] = [];
  for (let made = 0; made < agents; made++) {
    members.push(await tenant.member('attendant', [queue.department.id]));
  }
  return { tenant, ...queue, agents: members };
}
