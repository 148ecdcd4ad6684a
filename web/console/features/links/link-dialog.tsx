import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useZone, type Zone } from '../../state/use-zone';
import { CustomerSelect } from '../../ui/choices/customer-select';
import { FormDialog } from '../../ui/form/form-dialog';
import { useSave } from '../../ui/form/use-save';
import { LinkFields } from './link-fields';
import { EMPTY_LINK, linkInput, type LinkValues } from './link-values';
import { linkTexts } from './texts/texts';
import type { AccessLink } from './use-links';

interface LinkDialogProps {
  onClose: () => void;
  onCreated: (link: AccessLink) => unknown;
}

/** Creates a link. */
export function LinkDialog(props: LinkDialogProps) {
  const zone = useZone();
  return zone ? <LinkForm {...props} zone={zone} /> : null;
}

interface OneLinkValues extends LinkValues {
  label: string;
  customer_id: string | null;
}

function LinkForm({ onClose, onCreated, zone }: LinkDialogProps & { zone: Zone }) {
  const texts = linkTexts.use();
  const api = useApi();
  const form = useForm<OneLinkValues>({ initialValues: { ...EMPTY_LINK, label: '', customer_id: null } });
  const save = useSave({
    form,
    send: (values) => {
      const { label, customer_id } = values;
      const body = { ...linkInput(values, zone.name), label: label || null, customer_id };
      return unwrap(api.POST('/api/v1/access-links', { body }));
    },
    done: ({ data, meta }) => {
      for (const { code } of meta?.warnings ?? []) {
        notifications.show({ color: 'yellow', message: texts.warnings[code], role: 'status' });
      }
      return onCreated(data);
    },
  });
  return (
    <FormDialog
      title={texts.create}
      isOpen
      onClose={onClose}
      save={save}
      submitLabel={texts.create}
      size="lg"
    >
      <TextInput
        label={texts.label}
        description={texts.labelHint}
        data-autofocus
        data-testid="link-label"
        {...form.getInputProps('label')}
      />
      <CustomerSelect
        label={texts.customer}
        description={texts.customerHint}
        {...form.getInputProps('customer_id')}
      />
      <LinkFields form={form} zone={zone} />
    </FormDialog>
  );
}
