import './styles';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { Deliveries } from './deliveries/deliveries';
import { DeliveryDrawer } from './deliveries/delivery-drawer';
import { StateBadge } from './state-badge';
import { StateNotice } from './state-notice';
import { webhookTexts } from './texts/texts';
import { useFreshDeliveries, useWebhook } from './use-webhooks';
import { WebhookActions } from './webhook-actions';

/** One webhook, and what was sent to it. */
export default function WebhookPage() {
  const texts = webhookTexts.use();
  const { id = '' } = useParams({ strict: false });
  const { data: webhook, isPending, error, refetch } = useWebhook(id);
  useFreshDeliveries(id);
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <Page
      title={webhook?.description || texts.one}
      actions={webhook && <WebhookActions webhook={webhook} onDelivery={setOpened} />}
    >
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={240} />}
      {webhook && (
        <>
          <Stack gap={4} align="start">
            <Text style={{ overflowWrap: 'anywhere' }}>{webhook.url}</Text>
            <StateBadge webhook={webhook} />
            <Text size="sm" c="dimmed">
              {texts.events}: {webhook.events.map((event) => texts.eventNames[event]).join(', ')}
            </Text>
          </Stack>
          <StateNotice webhook={webhook} />
          <Deliveries webhook={webhook} onOpen={setOpened} />
          {opened !== null && (
            <DeliveryDrawer webhookId={id} deliveryId={opened} onClose={() => setOpened(null)} />
          )}
        </>
      )}
    </Page>
  );
}
