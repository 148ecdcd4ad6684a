import { Button, Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLanguage } from '../../texts/language';
import { formatNumber } from '../../ui/numbers';
import { Page } from '../../ui/page';
import { useFilters } from '../../ui/use-filters';
import { DownloadProgress } from './download-progress';
import { ExportFilters } from './export-filters';
import { EXCEL_FORMAT, exportQuery, KINDS } from './export-kinds';
import { exportTexts } from './texts/texts';
import { useDownload } from './use-download';
import { useRowCount } from './use-row-count';

const DEFAULTS = {
  kind: 'calls',
  status: '',
  department_id: '',
  date_from: '',
  date_to: '',
  search: '',
  format: 'plain',
};

/** Whole lists as CSV files. */
export default function ExportsPage() {
  const texts = exportTexts.use();
  const language = useLanguage();
  const [filters, change] = useFilters(DEFAULTS);
  const kind = KINDS.find((one) => one === filters.kind) ?? 'calls';
  const query = exportQuery(kind, filters);
  const { data: count } = useRowCount(kind, query);
  const { download, start, cancel } = useDownload();
  const isRunning = download.state === 'running';
  const isForExcel = filters.format === 'excel';
  return (
    <Page title={texts.title}>
      <Text c="dimmed">{texts.help}</Text>
      <Stack gap="md" align="start">
        <SegmentedControl
          aria-label={texts.kind}
          transitionDuration={0}
          data={KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
          value={kind}
          disabled={isRunning}
          onChange={(value) => change({ kind: value, status: '', search: '' })}
        />
        <ExportFilters kind={kind} values={filters} onChange={change} />
        <Checkbox
          label={texts.excel}
          description={texts.excelHelp}
          checked={isForExcel}
          disabled={isRunning}
          onChange={({ currentTarget }) => change({ format: currentTarget.checked ? 'excel' : 'plain' })}
          data-testid="export-excel"
        />
        <Group>
          <Button
            disabled={isRunning}
            onClick={() => void start(kind, isForExcel ? { ...query, ...EXCEL_FORMAT } : query)}
            data-testid="export-start"
          >
            {texts.download}
          </Button>
          {count !== undefined && (
            <Text size="sm" c="dimmed" role="status" data-testid="export-count">
              {texts.rows(count, formatNumber(count, language))}
            </Text>
          )}
        </Group>
      </Stack>
      <DownloadProgress download={download} expected={count} onCancel={cancel} />
    </Page>
  );
}
