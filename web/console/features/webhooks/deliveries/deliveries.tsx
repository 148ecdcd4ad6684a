import { Group, NativeSelect, Title } from '@mantine/core';
import { unwrap, type paths } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { useCommonTexts } from '../../../texts/texts';
import { formatDateTime } from '../../../ui/dates';
import { LongList } from '../../../ui/table/long-list';
import type { Column } from '../../../ui/table/long-list.types';
import { useFilters } from '../../../ui/use-filters';
import { ALL_EVENTS } from '../event-groups';
import { webhookTexts } from '../texts/texts';
import { deliveriesKey, type Delivery } from '../use-webhooks';
import type { Webhook } from '../webhook-state';
import { eventName } from './event-name';

type Query = paths['/api/v1/webhooks/{id}/deliveries']['get']['parameters']['query'];

const STATUSES = ['pending', 'delivered', 'failed'] as const;
const DEFAULTS = { status: '', event: '' };

/** What was sent to a webhook, and what came of it. */
export function Deliveries({ webhook, onOpen }: { webhook: Webhook; onOpen: (id: string) => void }) {
  const texts = webhookTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  const zone = useZone()?.name;
  const api = useApi();
  const [filters, change] = useFilters(DEFAULTS);
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const columns: Column<Delivery>[] = [
    {
      key: 'inserted_at',
      header: texts.time,
      width: '11rem',
      sortBy: 'inserted_at',
      cell: ({ inserted_at }) => formatDateTime(inserted_at, language, zone),
    },
    {
      key: 'event',
      header: texts.event,
      width: 'minmax(12rem, 1fr)',
      sortBy: 'event',
      cell: ({ event }) => eventName(event, texts),
    },
    {
      key: 'status',
      header: texts.state,
      width: '9rem',
      sortBy: 'status',
      cell: ({ status }) => texts.statuses[status],
    },
    {
      key: 'attempts',
      header: texts.attempts,
      width: '7rem',
      sortBy: 'attempts',
      cell: (row) => row.attempts,
    },
    {
      key: 'result',
      header: texts.result,
      width: 'minmax(10rem, 1fr)',
      cell: ({ response_status, error }) => (response_status === null ? error : `HTTP ${response_status}`),
    },
  ];
  return (
    <>
      <Title order={2} size="h4">
        {texts.deliveries}
      </Title>
      <Group>
        <NativeSelect
          label={texts.state}
          data={[
            { value: '', label: common.all },
            ...STATUSES.map((value) => ({ value, label: texts.statuses[value] })),
          ]}
          value={filters.status}
          onChange={({ currentTarget }) => change({ status: currentTarget.value })}
          data-testid="delivery-status"
        />
        <NativeSelect
          label={texts.event}
          data={[
            { value: '', label: common.all },
            ...ALL_EVENTS.map((value) => ({ value: value as string, label: texts.eventNames[value] })),
          ]}
          value={filters.event}
          onChange={({ currentTarget }) => change({ event: currentTarget.value })}
          data-testid="delivery-event"
        />
      </Group>
      <LongList
        label={texts.deliveries}
        columns={columns}
        queryKey={[...deliveriesKey(webhook.id), filters]}
        fetchPage={(query) =>
          unwrap(
            api.GET('/api/v1/webhooks/{id}/deliveries', {
              params: { path: { id: webhook.id }, query: { ...query, ...set } as Query },
            }),
          )
        }
        onOpen={({ id }) => onOpen(id)}
        empty={texts.noDeliveries}
        testId="deliveries"
      />
    </>
  );
}
