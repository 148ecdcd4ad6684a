import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { FormDialog } from '../../../ui/form/form-dialog';
import { useSave } from '../../../ui/form/use-save';
import { callTexts } from '../texts/texts';
import type { Customer } from './customer-of-call';
import { customerKey } from './use-customer';

interface CustomerDialogProps {
  callId: string;
  customer: Customer;
  onClose: () => void;
}

export function CustomerDialog({ callId, customer, onClose }: CustomerDialogProps) {
  const { customer: labels } = callTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: {
      name: customer.name,
      email: customer.email ?? '',
      phone: customer.phone ?? '',
      document: customer.document ?? '',
      notes: customer.notes ?? '',
    },
  });
  const save = useSave({
    form,
    send: ({ name, email, phone, document, notes }) => {
      const body = {
        name,
        email: email || null,
        phone: phone || null,
        document: document || null,
        notes: notes || null,
      };
      return unwrap(api.PUT('/api/v1/customers/{id}', { params: { path: { id: customer.id } }, body }));
    },
    done: ({ data }) => {
      queries.setQueriesData({ queryKey: customerKey(callId) }, (found: object | null | undefined) =>
        found ? { ...found, customer: data } : found,
      );
      onClose();
    },
  });
  return (
    <FormDialog title={labels.edit} isOpen onClose={onClose} save={save}>
      <TextInput label={labels.name} required data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={labels.email}
        type="email"
        data-testid="customer-email"
        {...form.getInputProps('email')}
      />
      <TextInput
        label={labels.phone}
        type="tel"
        data-testid="customer-phone"
        {...form.getInputProps('phone')}
      />
      <TextInput label={labels.document} {...form.getInputProps('document')} />
      <Textarea label={labels.notes} autosize minRows={2} maxRows={8} {...form.getInputProps('notes')} />
    </FormDialog>
  );
}
