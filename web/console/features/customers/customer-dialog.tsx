import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { FormDialog } from '../../ui/form/form-dialog';
import { useSave } from '../../ui/form/use-save';
import { MetadataFields } from './metadata-fields';
import { fromPairs, nameProblems, toPairs } from './metadata.rules';
import { customerTexts } from './texts/texts';
import { CUSTOMERS_KEY, type Customer, type CustomerValues } from './use-customers';

interface CustomerDialogProps {
  /** Null for a new one. */
  customer: Customer | null;
  onClose: () => void;
  onSaved: (customer: Customer) => void;
}

/** Creates or edits a customer. */
export function CustomerDialog({ customer, onClose, onSaved }: CustomerDialogProps) {
  const texts = customerTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm<CustomerValues>({
    initialValues: {
      name: customer?.name ?? '',
      email: customer?.email ?? '',
      phone: customer?.phone ?? '',
      document: customer?.document ?? '',
      notes: customer?.notes ?? '',
      metadata: toPairs(customer?.metadata ?? {}),
    },
    validate: ({ metadata }) =>
      Object.fromEntries(
        nameProblems(metadata).flatMap((problem, index) =>
          problem ? [[`metadata.${index}.name`, texts.metadataProblem[problem]]] : [],
        ),
      ),
  });
  const save = useSave({
    form,
    send: async (values) => {
      const body = {
        name: values.name,
        email: values.email.trim() || null,
        phone: values.phone || null,
        document: values.document || null,
        notes: values.notes || null,
        metadata: fromPairs(values.metadata, customer?.metadata ?? {}),
      };
      const answer = customer
        ? await unwrap(api.PUT('/api/v1/customers/{id}', { params: { path: { id: customer.id } }, body }))
        : await unwrap(api.POST('/api/v1/customers', { body }));
      return answer.data;
    },
    done: async (saved) => {
      await queries.invalidateQueries({ queryKey: CUSTOMERS_KEY });
      onSaved(saved);
    },
  });
  const title = customer ? texts.editTitle(customer.name) : texts.create;
  return (
    <FormDialog title={title} isOpen onClose={onClose} save={save} size="lg">
      <TextInput
        label={texts.name}
        required
        data-autofocus
        data-testid="customer-name"
        {...form.getInputProps('name')}
      />
      <TextInput
        label={texts.email}
        type="email"
        data-testid="customer-email"
        {...form.getInputProps('email')}
      />
      <TextInput label={texts.phone} type="tel" {...form.getInputProps('phone')} />
      <TextInput label={texts.document} {...form.getInputProps('document')} />
      <Textarea label={texts.notes} autosize minRows={2} maxRows={8} {...form.getInputProps('notes')} />
      <MetadataFields form={form} />
    </FormDialog>
  );
}
