import { Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatDateTime } from '../../../ui/dates';
import { SidePanel } from '../../../ui/dialog/side-panel';
import { notifySuccess } from '../../../ui/form/page-form';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useAttempt } from '../../../ui/use-attempt';
import { webhookTexts } from '../texts/texts';
import { deliveriesKey, useDelivery } from '../use-webhooks';
import { Attempts } from './attempts';
import { eventName } from './event-name';
import { canRedeliver } from './redelivery.rules';

interface DeliveryDrawerProps {
  webhookId: string;
  deliveryId: string;
  onClose: () => void;
}

/** One delivery: what was sent, and every attempt with its answer. */
export function DeliveryDrawer({ webhookId, deliveryId, onClose }: DeliveryDrawerProps) {
  const texts = webhookTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const { data: delivery, error, refetch } = useDelivery(webhookId, deliveryId);
  return (
    <SidePanel opened onClose={onClose} title={delivery ? eventName(delivery.event, texts) : texts.delivery}>
      <Stack data-testid="delivery">
        <ProblemNotice error={error} onRetry={refetch} />
        {!delivery && !error && <Skeleton height={240} />}
        {delivery && (
          <>
            <Group justify="space-between">
              <Text role="status" data-testid="delivery-result">
                {texts.statuses[delivery.status]}
                {delivery.next_attempt_at &&
                  ` – ${texts.nextAttempt(formatDateTime(delivery.next_attempt_at, language, zone))}`}
              </Text>
              {canRedeliver(delivery) && <RedeliverButton webhookId={webhookId} deliveryId={deliveryId} />}
            </Group>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              webhook-id: {delivery.id}
            </Text>
            <Attempts attempts={delivery.attempt_log} />
            <Title order={3} size="h5">
              {texts.payload}
            </Title>
            <Code block tabIndex={0} aria-label={texts.payload} data-testid="delivery-payload">
              {JSON.stringify(delivery.payload, null, 2)}
            </Code>
          </>
        )}
      </Stack>
    </SidePanel>
  );
}

function RedeliverButton({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const texts = webhookTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const attempt = useAttempt();
  const redeliver = async () => {
    const path = { id: webhookId, delivery_id: deliveryId };
    await unwrap(api.POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', { params: { path } }));
    notifySuccess(texts.redelivering);
    await queries.invalidateQueries({ queryKey: deliveriesKey(webhookId) });
  };
  return (
    <Button variant="default" size="xs" onClick={() => attempt(redeliver)} data-testid="redeliver">
      {texts.redeliver}
    </Button>
  );
}
