import { List, Stack, Text } from '@mantine/core';
import { notifySuccess } from '../../../ui/form/page-form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { ConfirmButton } from '../../../ui/confirm-button';
import { customerTexts } from '../texts/texts';
import { CUSTOMERS_KEY, type Customer } from '../use-customers';
import { foreseeMerge } from './merge.rules';

interface MergeButtonProps {
  survivor: Customer;
  duplicates: readonly Customer[];
}

/** Says what a merge will do, and does it. */
export function MergeButton({ survivor, duplicates }: MergeButtonProps) {
  const texts = customerTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const { filled, lost } = foreseeMerge(survivor, duplicates);
  const calls = duplicates.reduce((sum, { call_count }) => sum + call_count, 0);
  const merge = async () => {
    const body = { primary_id: survivor.id, duplicate_ids: duplicates.map(({ id }) => id) };
    await unwrap(api.POST('/api/v1/customers/merge', { body }));
    notifySuccess(texts.mergeDone(survivor.name));
    await queries.invalidateQueries({ queryKey: CUSTOMERS_KEY });
  };
  return (
    <ConfirmButton
      label={texts.merge(duplicates.length + 1)}
      data-testid="merge"
      action={merge}
      question={
        <Stack gap="xs">
          <Text>{texts.mergeQuestion(survivor.name)}</Text>
          <List>
            <List.Item>{texts.mergeCalls(calls)}</List.Item>
            {filled.map(({ field, value }) => (
              <List.Item key={field}>{texts.mergeFilled(texts.details[field], value)}</List.Item>
            ))}
            {lost.map(({ field, value }) => (
              <List.Item key={`${field} ${value}`}>{texts.mergeLost(texts.details[field], value)}</List.Item>
            ))}
            <List.Item>{texts.mergeDeleted(duplicates.map(({ name }) => name).join(', '))}</List.Item>
          </List>
          <Text fw={600}>{texts.cannotBeUndone}</Text>
        </Stack>
      }
    />
  );
}
