import type { CallItem } from '../../shared/socket';

type OpenCall = Pick<CallItem, 'id' | 'status'>;

/**
 * Which of the agent's calls the console shows: the one that they have asked for, otherwise the present one as long as it is
 * theirs, since its media would end with it. Another one follows after it, a call in progress first.
 */
export function chooseCall<Call extends OpenCall>(
  calls: readonly Call[],
  presentId: string | null,
  wantedId: string | null,
): Call | null {
  const of = (id: string | null) => calls.find((call) => call.id === id);
  const inProgress = calls.find(({ status }) => status === 'active');
  return of(wantedId) ?? of(presentId) ?? inProgress ?? calls[0] ?? null;
}
