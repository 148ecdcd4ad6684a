import { unwrap, type components, type paths } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { useCallStatusText } from '../../ui/call-status-text';
import { formatDateTime } from '../../ui/dates';
import { formatDuration } from '../../ui/duration';
import { LongList } from '../../ui/table/long-list';
import type { Column } from '../../ui/table/long-list.types';
import { customerTexts } from './texts/texts';
import { CUSTOMERS_KEY } from './use-customers';

type Call = components['schemas']['CallListItemDto'];
type Query = paths['/api/v1/customers/{id}/calls']['get']['parameters']['query'];

const SECOND_MS = 1000;

/** The calls of a customer, the newest first. */
export function CustomerCalls({ customerId }: { customerId: string }) {
  const texts = customerTexts.use();
  const statusText = useCallStatusText();
  const language = useLanguage();
  const zone = useZone()?.name;
  const api = useApi();
  const columns: Column<Call>[] = [
    {
      key: 'at',
      header: texts.callAt,
      width: '11rem',
      sortBy: 'inserted_at',
      cell: ({ inserted_at }) => formatDateTime(inserted_at, language, zone),
    },
    { key: 'status', header: texts.status, width: '9rem', cell: statusText },
    {
      key: 'department',
      header: texts.department,
      width: 'minmax(10rem, 1fr)',
      cell: ({ department_name }) => department_name,
    },
    { key: 'agent', header: texts.agent, width: 'minmax(10rem, 1fr)', cell: ({ user_name }) => user_name },
    {
      key: 'duration',
      header: texts.duration,
      width: '7rem',
      cell: ({ duration }) => (duration === null ? '' : formatDuration(duration * SECOND_MS)),
    },
    { key: 'rating', header: texts.rating, width: '7rem', cell: ({ rating }) => rating && `${rating}/5` },
  ];
  return (
    <LongList
      label={texts.earlierCalls}
      columns={columns}
      queryKey={[...CUSTOMERS_KEY, 'calls', customerId]}
      fetchPage={(page) =>
        unwrap(
          api.GET('/api/v1/customers/{id}/calls', {
            params: { path: { id: customerId }, query: page as Query },
          }),
        )
      }
      sorting={{ by: 'inserted_at', order: 'desc' }}
      to={({ id }) => `/calls/${id}`}
      empty={texts.noCalls}
    />
  );
}
