import { Skeleton, Table, Text } from '@mantine/core';
import { useLanguage } from '../../texts/language';
import { ProblemNotice } from '../../ui/problem-notice';
import { formatFigure } from '../../ui/format-figure';
import { Section } from './section';
import { reportTexts } from './texts/texts';
import { useEstimateReports, useReportRefresh, type ReportQuery } from './use-reports';

/** How right the estimates were that customers were shown. */
export function EstimatesTable({ query }: { query: ReportQuery }) {
  const texts = reportTexts.use();
  const language = useLanguage();
  const { data: read, isPending, error } = useEstimateReports(query);
  const refresh = useReportRefresh();
  // The figures from before a failure are older than the others.
  const data = error ? undefined : read;
  const rows = (data?.data ?? []).filter(({ calls }) => calls > 0);
  const names = texts.estimates;
  return (
    <Section title={names.title} testId="report-estimates">
      <Text size="sm" c="dimmed">
        {names.help}
      </Text>
      {isPending && <Skeleton height={120} />}
      <ProblemNotice error={error} onRetry={refresh} />
      {data && rows.length === 0 && <Text>{texts.noCalls}</Text>}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{texts.department}</Table.Th>
                <Table.Th scope="col" ta="end">
                  {names.calls}
                </Table.Th>
                <Table.Th scope="col" ta="end">
                  {names.mae}
                </Table.Th>
                <Table.Th scope="col">{names.bias}</Table.Th>
                <Table.Th scope="col" ta="end">
                  {names.coverage}
                </Table.Th>
                <Table.Th scope="col">{names.estimator}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.department_id}>
                  <Table.Th scope="row">{row.name}</Table.Th>
                  <Table.Td ta="end">{formatFigure(row.calls, 'count', language)}</Table.Td>
                  <Table.Td ta="end">{formatFigure(row.mae, 'seconds', language)}</Table.Td>
                  <Table.Td>
                    <Tendency bias={row.bias} />
                  </Table.Td>
                  <Table.Td ta="end">{formatFigure(row.coverage, 'share', language)}</Table.Td>
                  <Table.Td>{names.estimators[row.estimator]}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}

/** Seconds below which nobody notices that estimates are too long or too short. */
const BALANCED_BELOW = 0.5;

/** @param bias mean of the told waits less the real ones, in seconds; null without calls */
function Tendency({ bias }: { bias: number | null }) {
  const { estimates: names } = reportTexts.use();
  const language = useLanguage();
  if (bias === null) return '–';
  if (Math.abs(bias) < BALANCED_BELOW) return names.balanced;
  const time = formatFigure(Math.abs(bias), 'seconds', language);
  return bias < 0 ? names.waitLonger(time) : names.waitLess(time);
}
