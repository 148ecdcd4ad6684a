import { List, Stack, Text } from '@mantine/core';
import { customerTexts } from '../texts/texts';
import type { Customer } from '../use-customers';
import { foreseeMerge } from './merge.rules';

interface MergeForecastProps {
  survivor: Customer;
  duplicates: readonly Customer[];
}

/** What a merge will do. */
export function MergeForecast({ survivor, duplicates }: MergeForecastProps) {
  const texts = customerTexts.use();
  const { filled, lost } = foreseeMerge(survivor, duplicates);
  const calls = duplicates.reduce((sum, { call_count }) => sum + call_count, 0);
  return (
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
  );
}
