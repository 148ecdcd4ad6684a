import { Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { FormDialog } from '../../ui/form/form-dialog';
import { notifySuccess } from '../../ui/form/page-form';
import { useSave } from '../../ui/form/use-save';
import { EventChoice } from './event-choice';
import type { WebhookEvent } from './event-groups';
import { webhookTexts } from './texts/texts';
import { WEBHOOKS_KEY } from './use-webhooks';
import type { Webhook } from './webhook-state';

interface WebhookDialogProps {
  /** Null for a new one. */
  webhook: Webhook | null;
  onClose: () => void;
  /** Gets the secret of a new one, which the service tells only once. */
  onSecret?: (id: string, secret: string) => void;
}

export function WebhookDialog({ webhook, onClose, onSecret }: WebhookDialogProps) {
  const texts = webhookTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      events: webhook?.events ?? ([] as WebhookEvent[]),
      active: webhook?.active ?? true,
    },
  });
  const save = useSave({
    form,
    send: async (values) => {
      const body = { ...values, description: values.description || null };
      if (webhook) {
        await unwrap(api.PUT('/api/v1/webhooks/{id}', { params: { path: { id: webhook.id } }, body }));
        return null;
      }
      return (await unwrap(api.POST('/api/v1/webhooks', { body }))).data;
    },
    done: async (created) => {
      await queries.invalidateQueries({ queryKey: WEBHOOKS_KEY });
      onClose();
      if (created) onSecret?.(created.id, created.secret);
      else notifySuccess(common.saved);
    },
  });
  return (
    <FormDialog title={webhook ? common.edit : texts.create} isOpen onClose={onClose} save={save} size="lg">
      <TextInput
        type="url"
        label={texts.url}
        description={texts.urlHelp}
        placeholder="https://"
        required
        data-autofocus
        data-testid="webhook-url"
        {...form.getInputProps('url')}
      />
      <TextInput
        label={common.description}
        data-testid="webhook-description"
        {...form.getInputProps('description')}
      />
      <EventChoice {...form.getInputProps('events')} />
      <Switch label={texts.active} {...form.getInputProps('active', { type: 'checkbox' })} />
    </FormDialog>
  );
}
