import { NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useZone } from '../../../state/use-zone';
import { useCommonTexts } from '../../../texts/texts';
import { FormDialog } from '../../../ui/form/form-dialog';
import { notifySuccess } from '../../../ui/form/page-form';
import { useSave } from '../../../ui/form/use-save';
import { instantOf } from '../../../ui/wall-time';
import { webhookTexts } from '../texts/texts';
import { deliveriesKey } from '../use-webhooks';
import { DateInput } from '../../../ui/form/date-input';

interface ReplayDialogProps {
  webhookId: string;
  onClose: () => void;
}

/** Sends the deliveries of a period again. */
export function ReplayDialog(props: ReplayDialogProps) {
  const zone = useZone()?.name;
  return zone ? <ReplayForm {...props} zone={zone} /> : null;
}

function ReplayForm({ webhookId, onClose, zone }: ReplayDialogProps & { zone: string }) {
  const texts = webhookTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { from: '', to: '', status: 'failed' },
    validate: {
      from: (from) => (from ? null : texts.fromMissing),
      to: (to, { from }) => (to && to < from ? texts.reversed : null),
    },
  });
  const save = useSave({
    form,
    send: ({ from, to, status }) =>
      unwrap(
        api.POST('/api/v1/webhooks/{id}/replay', {
          params: { path: { id: webhookId } },
          body: {
            from: instantOf(from, zone)?.toISOString() ?? '',
            to: instantOf(to, zone)?.toISOString() ?? null,
            status: (status || null) as 'failed' | 'delivered' | null,
          },
        }),
      ),
    done: async ({ data }) => {
      notifySuccess(texts.replaying(data.count));
      onClose();
      await queries.invalidateQueries({ queryKey: deliveriesKey(webhookId) });
    },
  });
  return (
    <FormDialog title={texts.replay} isOpen onClose={onClose} save={save} submitLabel={texts.replayStart}>
      <Text size="sm">{texts.replayHelp}</Text>
      <DateInput
        withTime
        label={texts.from}
        required
        data-autofocus
        data-testid="replay-from"
        {...form.getInputProps('from')}
      />
      <DateInput withTime label={texts.to} description={texts.toHelp(zone)} {...form.getInputProps('to')} />
      <NativeSelect
        label={texts.which}
        data-testid="replay-status"
        data={[
          { value: 'failed', label: texts.statuses.failed },
          { value: 'delivered', label: texts.statuses.delivered },
          { value: '', label: common.all },
        ]}
        {...form.getInputProps('status')}
      />
    </FormDialog>
  );
}
