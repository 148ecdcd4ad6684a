import { Table } from '@mantine/core';
import { useDepartmentList } from '../../../state/use-departments';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatTime } from '../../../ui/dates';
import { formatDuration } from '../../../ui/duration';
import { ProblemNotice } from '../../../ui/problem-notice';
import { Section } from '../section';
import { callsTexts } from '../texts/texts';
import { useCallParts } from '../use-call-parts';

/** The agents who had the call. Nothing for a call that nobody has started. */
export function CallParts({ callId }: { callId: string }) {
  const { parts: texts } = callsTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const departments = useDepartmentList();
  const { data, error, refetch } = useCallParts(callId);
  if (!error && !data?.length) return null;
  return (
    <Section title={texts.title}>
      <ProblemNotice error={error} onRetry={refetch} />
      <Table.ScrollContainer minWidth={0}>
        <Table horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.agent}</Table.Th>
              {departments.length > 0 && <Table.Th>{texts.department}</Table.Th>}
              <Table.Th>{texts.from}</Table.Th>
              <Table.Th>{texts.duration}</Table.Th>
              <Table.Th>{texts.end}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data?.map(({ user_name, department_id, started_at, ended_at, ended_by }) => (
              <Table.Tr key={started_at}>
                <Table.Td>{user_name}</Table.Td>
                {departments.length > 0 && (
                  <Table.Td>{departments.find(({ id }) => id === department_id)?.name}</Table.Td>
                )}
                <Table.Td>{formatTime(started_at, language, zone)}</Table.Td>
                <Table.Td>
                  {ended_at && formatDuration(Date.parse(ended_at) - Date.parse(started_at))}
                </Table.Td>
                <Table.Td>{ended_by ? texts.ends[ended_by] : texts.running}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
