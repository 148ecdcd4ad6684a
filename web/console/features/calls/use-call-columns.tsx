import { useMemo } from 'react';
import type { CallItem } from '../../../shared/socket';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { useCustomerName } from '../../texts/customer-name';
import { formatDateTime } from '../../ui/dates';
import { formatDuration } from '../../ui/duration';
import type { Column } from '../../ui/table/long-list.types';
import { CallStatusBadge } from './call-status';
import { callsTexts } from './texts/texts';

/** @param seconds null if there is none yet */
const lengthOf = (seconds: number | null) => (seconds === null ? '' : formatDuration(seconds * 1000));

/** The columns of the list of calls. */
export function useCallColumns(): Column<CallItem>[] {
  const { columns: names, rating } = callsTexts.use();
  const { yes } = useCommonTexts();
  const nameOf = useCustomerName();
  const language = useLanguage();
  const zone = useZone()?.name;
  return useMemo(
    () => [
      {
        key: 'customer',
        header: names.customer,
        width: 'minmax(8.25rem, 0.98fr)',
        sortBy: 'customer_name',
        cell: (call) => nameOf(call),
      },
      {
        key: 'status',
        header: names.status,
        width: '8.75rem',
        sortBy: 'status',
        cell: (call) => <CallStatusBadge call={call} />,
      },
      {
        key: 'joined',
        header: names.joined,
        width: '9.65rem',
        sortBy: 'inserted_at',
        cell: (call) => formatDateTime(call.inserted_at, language, zone),
      },
      {
        key: 'department',
        header: names.department,
        width: 'minmax(8.4rem, 1fr)',
        sortBy: 'department_name',
        cell: (call) => call.department_name,
      },
      {
        key: 'agent',
        header: names.agent,
        width: 'minmax(6.6rem, 0.75fr)',
        sortBy: 'user_name',
        cell: (call) => call.user_name,
      },
      {
        key: 'wait',
        header: names.wait,
        width: '5rem',
        sortBy: 'wait_time',
        cell: (call) => lengthOf(call.wait_time),
      },
      {
        key: 'duration',
        header: names.duration,
        width: '6rem',
        sortBy: 'duration',
        cell: (call) => lengthOf(call.duration),
      },
      {
        key: 'rating',
        header: names.rating,
        width: '4.75rem',
        sortBy: 'rating',
        cell: (call) =>
          call.rating === null ? '' : <span title={rating.stars(call.rating)}>{call.rating} ★</span>,
      },
      {
        key: 'recording',
        header: names.recording,
        width: '6.5rem',
        sortBy: 'has_recording',
        cell: (call) => (call.has_recording ? yes : ''),
      },
    ],
    [names, rating, yes, nameOf, language, zone],
  );
}
