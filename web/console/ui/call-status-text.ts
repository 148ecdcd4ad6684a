import type { components } from '../../shared/api/client';
import { useCommonTexts } from '../texts/texts';

export type EndedCall = Pick<components['schemas']['CallListItemDto'], 'status' | 'end_reason'>;

/** The call is completed only because a connection was lost and not restored in time. */
export const isDropped = ({ status, end_reason }: EndedCall): boolean =>
  status === 'completed' && end_reason === 'disconnect';

/** @returns the status of a call in words, or that its connection was lost */
export function useCallStatusText(): (call: EndedCall) => string {
  const { callStatus, callDropped } = useCommonTexts();
  return (call) => (isDropped(call) ? callDropped : callStatus[call.status]);
}
