import { Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { ProblemNotice } from '../../../ui/problem-notice';
import { Section } from '../section';
import { callsTexts } from '../texts/texts';

/** Agents come and go: asked again this often. */
const REFETCH_MS = 5000;

/** Why nobody gets a waiting call. */
export function RoutingReason({ callId }: { callId: string }) {
  const { routing: texts } = callsTexts.use();
  const api = useApi();
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['calls', callId, 'routing'],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{id}/routing', { params: { path: { id: callId } } }))).data,
    refetchInterval: REFETCH_MS,
  });
  const counts: [string, number][] = data
    ? [
        [texts.members, data.members],
        [texts.available, data.available],
        [texts.eligible, data.eligible],
        [texts.excluded, data.excluded],
        [texts.lacking, data.lacking_skills],
      ]
    : [];
  return (
    <Section title={texts.title} testId="routing-reason">
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={80} />}
      {data && (
        <>
          <Text fw={600} role="status">
            {texts.codes[data.code] ?? data.reason}
          </Text>
          <Table>
            <Table.Tbody>
              {counts.map(([label, count]) => (
                <Table.Tr key={label}>
                  <Table.Th scope="row">{label}</Table.Th>
                  <Table.Td>{count}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </Section>
  );
}
