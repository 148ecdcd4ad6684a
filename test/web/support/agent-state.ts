import type { Member } from '../../support/builders';
import type { Company } from './company';

/** The state of an agent and why they are paused, as the service has them. */
export async function agentStateOf(
  { tenant }: Company,
  { id }: Member,
): Promise<{ state: string; reason: string | null }> {
  const { body } = await tenant.owner.api.get('/api/v1/agents');
  const { state, reason } = body.data.find(({ user_id }: { user_id: string }) => user_id === id);
  return { state, reason };
}
