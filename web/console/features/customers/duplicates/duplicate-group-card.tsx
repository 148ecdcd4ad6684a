import { Anchor, Card, Checkbox, Group, Radio, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useHasRole } from '../../../state/console-context';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatDate } from '../../../ui/dates';
import { customerTexts } from '../texts/texts';
import type { Customer, DuplicateGroup } from '../use-customers';
import { MergeButton } from './merge-button';

/** Customers who share something. Supervisors choose who remains, and whom they do not take for the same person. */
export function DuplicateGroupCard({ group }: { group: DuplicateGroup }) {
  const texts = customerTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const canMerge = useHasRole('supervisor');
  const name = useId();
  const { customers, reason, value, size } = group;
  const [survivorId, setSurvivorId] = useState(customers[0]?.id);
  const [excluded, setExcluded] = useState<readonly string[]>([]);
  const survivor = customers.find(({ id }) => id === survivorId) ?? customers[0];
  const duplicates = customers.filter(({ id }) => id !== survivor?.id && !excluded.includes(id));
  const toggle = ({ id }: Customer) =>
    setExcluded(excluded.includes(id) ? excluded.filter((other) => other !== id) : [...excluded, id]);
  return (
    <Card withBorder data-testid="duplicate-group">
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>{texts.sharedValue[reason](value)}</Text>
          {size > customers.length && <Text c="dimmed">{texts.shownOf(customers.length, size)}</Text>}
        </Group>
        <Table.ScrollContainer minWidth={640}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {canMerge && <Table.Th>{texts.survivor}</Table.Th>}
                {canMerge && <Table.Th>{texts.merged}</Table.Th>}
                <Table.Th>{texts.name}</Table.Th>
                <Table.Th>{texts.email}</Table.Th>
                <Table.Th>{texts.phone}</Table.Th>
                <Table.Th>{texts.calls}</Table.Th>
                <Table.Th>{texts.since}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {customers.map((customer) => (
                <Table.Tr key={customer.id}>
                  {canMerge && (
                    <Table.Td>
                      <Radio
                        name={name}
                        aria-label={texts.keep(customer.name)}
                        checked={customer.id === survivor?.id}
                        onChange={() => setSurvivorId(customer.id)}
                      />
                    </Table.Td>
                  )}
                  {canMerge && (
                    <Table.Td>
                      <Checkbox
                        aria-label={texts.mergeOne(customer.name)}
                        disabled={customer.id === survivor?.id}
                        checked={customer.id !== survivor?.id && !excluded.includes(customer.id)}
                        onChange={() => toggle(customer)}
                      />
                    </Table.Td>
                  )}
                  <Table.Td>
                    <Anchor component={Link} to={`/customers/${customer.id}`}>
                      {customer.name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{customer.email}</Table.Td>
                  <Table.Td>{customer.phone}</Table.Td>
                  <Table.Td>{customer.call_count}</Table.Td>
                  <Table.Td>{formatDate(customer.inserted_at, language, zone)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {canMerge && survivor && duplicates.length > 0 && (
          <Group justify="end">
            <MergeButton survivor={survivor} duplicates={duplicates} />
          </Group>
        )}
      </Stack>
    </Card>
  );
}
