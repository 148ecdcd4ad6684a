import { Alert, Button, List, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, type components } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { FormDialog } from '../../../ui/form/form-dialog';
import { useSave } from '../../../ui/form/use-save';
import { customerTexts } from '../texts/texts';
import { CUSTOMERS_KEY, type Customer } from '../use-customers';

interface EraseButtonProps {
  customer: Customer;
  onErased: (receipt: components['schemas']['ErasureReceiptDto']) => void;
}

/** Erases a person. Unlike a deletion it takes files and recordings along, so the name has to be typed. */
export function EraseButton({ customer, onErased }: EraseButtonProps) {
  const texts = customerTexts.use();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button color="red" variant="outline" onClick={() => setOpen(true)} data-testid="customer-erase">
        {texts.erase}
      </Button>
      {isOpen && <EraseDialog customer={customer} onErased={onErased} onClose={() => setOpen(false)} />}
    </>
  );
}

function EraseDialog({ customer, onErased, onClose }: EraseButtonProps & { onClose: () => void }) {
  const texts = customerTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name_typed: '' },
    validate: {
      name_typed: (typed) =>
        typed.trim() === customer.name.trim() ? null : texts.eraseNotTheName(customer.name),
    },
  });
  const save = useSave({
    form,
    send: async () => {
      const params = { path: { id: customer.id } };
      return (await unwrap(api.POST('/api/v1/customers/{id}/erase', { params }))).data;
    },
    done: (receipt) => {
      onErased(receipt);
      queries.removeQueries({ queryKey: CUSTOMERS_KEY });
    },
  });
  return (
    <FormDialog
      title={texts.eraseTitle(customer.name)}
      isOpen
      onClose={onClose}
      save={save}
      submitLabel={texts.erase}
      size="lg"
    >
      <Alert color="red">
        <Stack gap="xs">
          <Text fw={600}>{texts.eraseWarning}</Text>
          <List size="sm">
            {texts.eraseConsequences.map((consequence) => (
              <List.Item key={consequence}>{consequence}</List.Item>
            ))}
          </List>
        </Stack>
      </Alert>
      <TextInput
        label={texts.eraseTypeName(customer.name)}
        autoComplete="off"
        data-autofocus
        data-testid="erase-name"
        {...form.getInputProps('name_typed')}
      />
    </FormDialog>
  );
}
