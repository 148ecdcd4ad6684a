import './reports.css';
import { SimpleGrid, Skeleton, Text } from '@mantine/core';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { AgentsTable } from './agents-table';
import { CallbackFigures } from './callback-figures';
import { EstimatesTable } from './estimates-table';
import { HourlyChart } from './hourly';
import { OverflowFigure } from './overflow-figure';
import { OverviewFigures } from './overview';
import { Ratings } from './ratings';
import { ReportAge } from './age';
import { ReportFilterBar } from './report-filters';
import { reportTexts } from './texts/texts';
import { TrendsChart } from './trends';
import { useReportFilters } from './use-report-filters';
import { useOverview, useReportRefresh } from './use-reports';

/** The figures of a period. */
export default function ReportsPage() {
  const texts = reportTexts.use();
  const { filters, change, query, problem } = useReportFilters();
  const { data, error, dataUpdatedAt } = useOverview(query);
  const refresh = useReportRefresh();
  return (
    <Page title={texts.title}>
      <ReportFilterBar problem={problem} filters={filters} onChange={change} />
      <ProblemNotice error={error} onRetry={refresh} />
      {problem === 'incomplete' && <Text>{texts.problems.incomplete}</Text>}
      {!error && !problem && (!data || !query) && <Skeleton height={320} />}
      {!error && data && query && (
        <>
          <ReportAge meta={data.meta} fetchedAt={dataUpdatedAt} />
          {data.data.total_calls === 0 && <Text data-testid="report-empty">{texts.noCalls}</Text>}
          <OverviewFigures overview={data.data} />
          <TrendsChart query={query} meta={data.meta} />
          <HourlyChart query={query} />
          <AgentsTable query={query} />
          <EstimatesTable query={query} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Ratings overview={data.data} />
            <CallbackFigures overview={data.data} />
            <OverflowFigure overview={data.data} />
          </SimpleGrid>
        </>
      )}
    </Page>
  );
}
