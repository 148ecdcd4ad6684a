import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { CustomerSelect } from '../../../ui/choices/customer-select';
import { SaidError } from '../../../ui/explain';
import { FormDialog } from '../../../ui/form/form-dialog';
import { useSave } from '../../../ui/form/use-save';
import { customerTexts } from '../texts/texts';
import { useCustomer, type Customer } from '../use-customers';
import { MergeForecast } from './merge-forecast';
import { useMerge } from './use-merge';

/** Merges another customer, who is searched for, into the shown one. The two need not share anything. */
export function MergeWithButton({ customer }: { customer: Customer }) {
  const texts = customerTexts.use();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)} data-testid="customer-merge">
        {texts.mergeWith}
      </Button>
      {isOpen && <MergeWithDialog customer={customer} onClose={() => setOpen(false)} />}
    </>
  );
}

function MergeWithDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const texts = customerTexts.use();
  const merge = useMerge();
  const form = useForm({
    initialValues: { duplicate_ids: '' },
    validate: {
      duplicate_ids: (id) =>
        id === '' ? texts.mergeChoose : id === customer.id ? texts.mergeSame(customer.name) : null,
    },
  });
  const otherId = form.values.duplicate_ids;
  const { data: other, isLoading } = useCustomer(otherId, { enabled: otherId !== '' });
  const save = useSave({
    form,
    // Nothing is merged before the reader has seen what it does.
    send: () => (other ? merge(customer, [other]) : Promise.reject(new SaidError(texts.gone))),
    done: onClose,
  });
  return (
    <FormDialog
      title={texts.mergeWithTitle(customer.name)}
      isOpen
      onClose={onClose}
      save={save}
      submitLabel={texts.merge(2)}
      size="lg"
      isLoading={isLoading}
    >
      <CustomerSelect
        label={texts.mergeOther}
        description={texts.searchHint}
        data-testid="merge-other"
        {...form.getInputProps('duplicate_ids')}
        value={otherId || null}
        onChange={(id) => form.setFieldValue('duplicate_ids', id ?? '')}
      />
      {other && other.id !== customer.id && <MergeForecast survivor={customer} duplicates={[other]} />}
    </FormDialog>
  );
}
