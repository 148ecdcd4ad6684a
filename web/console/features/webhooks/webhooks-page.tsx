import './styles';
import { Button, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { unwrap, type paths } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { formatDateTime } from '../../ui/dates';
import { Page } from '../../ui/page';
import { LongList } from '../../ui/table/long-list';
import type { Column } from '../../ui/table/long-list.types';
import { SecretDialog } from './secret-dialog';
import { StateBadge } from './state-badge';
import { webhookTexts } from './texts/texts';
import { WEBHOOKS_KEY } from './use-webhooks';
import { WebhookDialog } from './webhook-dialog';
import type { Webhook } from './webhook-state';

type Query = paths['/api/v1/webhooks']['get']['parameters']['query'];

const LIST_KEY = [...WEBHOOKS_KEY, 'list'];

/** Where the events of the company are sent. */
export default function WebhooksPage() {
  const texts = webhookTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  const zone = useZone()?.name;
  const api = useApi();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null);
  const columns: Column<Webhook>[] = [
    { key: 'url', header: texts.url, width: 'minmax(14rem, 3fr)', sortBy: 'url', cell: ({ url }) => url },
    {
      key: 'description',
      header: common.description,
      width: 'minmax(8rem, 1fr)',
      sortBy: 'description',
      cell: ({ description }) => description,
    },
    {
      key: 'state',
      header: texts.state,
      width: '15rem',
      cell: (webhook) => <StateBadge webhook={webhook} />,
    },
    { key: 'events', header: texts.events, width: '6.5rem', cell: ({ events }) => events.length },
    {
      key: 'inserted_at',
      header: texts.createdAt,
      width: '10rem',
      sortBy: 'inserted_at',
      cell: ({ inserted_at }) => formatDateTime(inserted_at, language, zone),
    },
  ];
  return (
    <Page
      title={texts.title}
      actions={
        <Button onClick={() => setCreating(true)} data-testid="webhook-create">
          {texts.create}
        </Button>
      }
    >
      <Text c="dimmed">{texts.help}</Text>
      <LongList
        label={texts.title}
        columns={columns}
        queryKey={LIST_KEY}
        fetchPage={(query) => unwrap(api.GET('/api/v1/webhooks', { params: { query: query as Query } }))}
        to={({ id }) => `/webhooks/${id}`}
        empty={texts.empty}
        testId="webhooks"
      />
      {isCreating && (
        <WebhookDialog
          webhook={null}
          onClose={() => setCreating(false)}
          onSecret={(id, secret) => setCreated({ id, secret })}
        />
      )}
      {created && (
        <SecretDialog
          secret={created.secret}
          onClose={() => void navigate({ to: `/webhooks/${created.id}` as never })}
        />
      )}
    </Page>
  );
}
