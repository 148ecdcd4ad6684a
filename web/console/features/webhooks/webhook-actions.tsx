import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { notifySuccess } from '../../ui/form/page-form';
import { useAttempt } from '../../ui/use-attempt';
import { ReplayDialog } from './deliveries/replay-dialog';
import { SecretDialog } from './secret-dialog';
import { webhookTexts } from './texts/texts';
import { WEBHOOKS_KEY } from './use-webhooks';
import { WebhookDialog } from './webhook-dialog';
import type { Webhook } from './webhook-state';

interface WebhookActionsProps {
  webhook: Webhook;
  /** Shows the delivery of a test. */
  onDelivery: (id: string) => void;
}

export function WebhookActions({ webhook, onDelivery }: WebhookActionsProps) {
  const texts = webhookTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const attempt = useAttempt();
  const [dialog, setDialog] = useState<'edit' | 'replay' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [isTesting, setTesting] = useState(false);
  const params = { path: { id: webhook.id } };
  const changed = () => queries.invalidateQueries({ queryKey: WEBHOOKS_KEY });
  const test = async () => {
    setTesting(true);
    try {
      const { data } = await unwrap(api.POST('/api/v1/webhooks/{id}/test', { params }));
      await changed();
      onDelivery(data.id);
    } finally {
      setTesting(false);
    }
  };
  const rotate = async () => {
    const { data } = await unwrap(api.POST('/api/v1/webhooks/{id}/rotate-secret', { params }));
    setSecret(data.secret);
    await changed();
  };
  const remove = async () => {
    await unwrap(api.DELETE('/api/v1/webhooks/{id}', { params }));
    notifySuccess(texts.deleted);
    await navigate({ to: '/webhooks', ignoreBlocker: true });
    await changed();
  };
  return (
    <>
      <Button variant="default" loading={isTesting} onClick={() => attempt(test)} data-testid="webhook-test">
        {texts.test}
      </Button>
      <Button variant="default" onClick={() => setDialog('edit')} data-testid="webhook-edit">
        {common.edit}
      </Button>
      <Button variant="default" onClick={() => setDialog('replay')} data-testid="webhook-replay">
        {texts.replay}
      </Button>
      <ConfirmButton
        label={texts.rotate}
        question={texts.rotateQuestion}
        action={rotate}
        data-testid="webhook-rotate"
      />
      <ConfirmButton label={common.remove} question={texts.deleteQuestion(webhook.url)} action={remove} />
      {dialog === 'edit' && <WebhookDialog webhook={webhook} onClose={() => setDialog(null)} />}
      {dialog === 'replay' && <ReplayDialog webhookId={webhook.id} onClose={() => setDialog(null)} />}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
