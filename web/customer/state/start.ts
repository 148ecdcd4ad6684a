import type { PageData } from '../../shared/page-data';
import type { LinkValidation } from './server.types';
import { ApiError } from '../../shared/api/api-error';
import type { State } from './state.types';

/** The first state of a loaded page. @param hasToken whether this browser holds a place in the line of the link */
export function startState(page: PageData, hasToken: boolean): State {
  return hasToken ? { screen: 'resuming', retry: null } : stateWithoutCall(page);
}

/** What the page shows to a customer without a place in the line. */
export function stateWithoutCall({ link, error }: PageData): State {
  if (link) return stateOfLink(link);
  const problem = new ApiError({ status: 404, ...(error ?? { code: 'invalid_link', detail: '' }) });
  return { screen: 'problem', problem };
}

export function stateOfLink(link: LinkValidation): State {
  if (!link.open) return { screen: 'closed', opensAt: link.opens_at };
  return { screen: 'form', problem: null, hadPlace: false };
}
