import { isPassing } from '../../shared/api/retry';
import type { ApiProblem } from './server.types';
import type { PageEvent, State } from './state.types';

/** Codes of links that cannot be used, and of companies that are suspended: nothing on this page can change that. */
const LINK_CODES = new Set([
  'invalid_link',
  'link_expired',
  'link_used',
  'link_cancelled',
  'link_not_yet_valid',
  'tenant_suspended',
]);

/** Those that stay: only a new link helps. */
const FINAL_CODES = ['invalid_link', 'link_expired', 'link_used', 'link_cancelled'] as const;

export type FinalCode = (typeof FINAL_CODES)[number];

/** @returns the code if the link can never be used again; null if it may */
export const finalCode = (problem: { code: string } | null): FinalCode | null =>
  FINAL_CODES.find((code) => code === problem?.code) ?? null;

export const isFinalProblem = (problem: ApiProblem): boolean => finalCode(problem) !== null;

export const isLinkProblem = ({ code }: ApiProblem): boolean => LINK_CODES.has(code);

/** Whether the service, or the way to it, could not take the request now: the page repeats it until it is answered. */
export const isBusyService = (problem: ApiProblem): boolean => isPassing(problem, Number.POSITIVE_INFINITY);

/** The state after the service has refused a join. */
export function afterJoinRefused(problem: ApiProblem): State {
  if (problem.code === 'department_closed') return { screen: 'closed', opensAt: problem.opens_at ?? null };
  if (problem.code === 'queue_full') return { screen: 'full' };
  if (isLinkProblem(problem)) return { screen: 'problem', problem };
  return { screen: 'form', problem, hadPlace: false };
}

/** The state after the service has refused to continue a call: its token is no longer good. */
export function afterResumeRefused(
  before: State,
  { problem, byLink, start }: Extract<PageEvent, { type: 'resume_refused' }>,
): State {
  if (problem.code === 'taken_over') return { screen: 'other_device' };
  if (before.screen === 'rating' || before.screen === 'thanks' || before.screen === 'over') return before;
  if (byLink) return { screen: 'over', why: 'return_link_invalid' };
  if (before.screen !== 'resuming') return { screen: 'over', why: 'gone' };
  return start.screen === 'form' ? { ...start, hadPlace: true } : start;
}
