import type { Member } from '../../support/builders';
import type { TestSocket } from '../../support/sockets/socket';
import { until } from '../../support/until';
import { type Company, createCompany } from './company';

interface SupervisedCompany {
  company: Company;
  supervisor: Member;
  /** The first agent, who is available. */
  agent: Member;
  socket: TestSocket;
}

/**
 * A company with a supervisor and an agent who is connected.
 * @param connect opens a socket that is closed after the test
 */
export async function supervisedCompany(
  connect: (token: string) => Promise<TestSocket>,
  department: Record<string, unknown> = {},
): Promise<SupervisedCompany> {
  const company = await createCompany(department);
  const supervisor = await company.tenant.member('supervisor', [company.department.id]);
  const [agent] = company.agents;
  if (!agent) throw new Error('There is no agent');
  return { company, supervisor, agent, socket: await connect(agent.token) };
}

/**
 * Lets a customer join, be offered to the agent, talk to them and end.
 * @param during the conversation
 * @returns the id of the call
 */
export async function completedCall(
  { tenant, link }: Company,
  agent: Member,
  name: string,
  during?: (callId: string) => Promise<unknown>,
): Promise<string> {
  await tenant.join(link, { name });
  const offer = await until(
    async () => (await agent.api.get('/api/v1/offers')).body.data[0],
    () => 'no offer',
  );
  await agent.api.post(`/api/v1/offers/${offer.id}/accept`);
  await during?.(offer.call_id);
  await agent.api.post(`/api/v1/calls/${offer.call_id}/complete`);
  return offer.call_id;
}
