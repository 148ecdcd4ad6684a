import { ScrollArea, Skeleton, Table, Text } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { useLanguage } from '../../texts/language';
import { ProblemNotice } from '../../ui/problem-notice';
import { agentColumns } from './agent-columns';
import { formatFigure } from '../../ui/format-figure';
import { Section } from './section';
import { reportTexts } from './texts/texts';
import { useAgentReports, useReportRefresh, type ReportQuery } from './use-reports';

/** What each agent has done. */
export function AgentsTable({ query }: { query: ReportQuery }) {
  const texts = reportTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  const { data: read, isPending, error } = useAgentReports(query);
  const refresh = useReportRefresh();
  // The figures from before a failure are older than the others.
  const data = error ? undefined : read;
  const columns = agentColumns(texts, common);
  return (
    <Section title={texts.agents} testId="report-agents">
      {isPending && <Skeleton height={120} />}
      <ProblemNotice error={error} onRetry={refresh} />
      {data?.data.length === 0 && <Text>{texts.noAgents}</Text>}
      {data && data.data.length > 0 && (
        <ScrollArea.Autosize
          mah={480}
          viewportProps={{ tabIndex: 0, 'aria-label': texts.agents, role: 'region' }}
        >
          <Table highlightOnHover style={{ whiteSpace: 'nowrap' }}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{texts.agent}</Table.Th>
                {columns.map(({ label }) => (
                  <Table.Th key={label} scope="col" ta="end">
                    {label}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((agent) => (
                <Table.Tr key={agent.user_id}>
                  <Table.Th scope="row">{agent.user_name}</Table.Th>
                  {columns.map(({ label, kind, valueOf }) => (
                    <Table.Td key={label} ta="end">
                      {formatFigure(valueOf(agent), kind, language)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </Section>
  );
}
