import { ScrollArea, Table } from '@mantine/core';
import { useLanguage } from '../../../texts/language';
import type { FigureKind } from '../../../ui/format-figure';
import { formatFigure } from '../../../ui/format-figure';
import type { ChartData } from './chart.types';

interface ChartTableProps {
  label: string;
  data: ChartData;
  figure: FigureKind;
}

/** The figures of a chart as a table. */
export function ChartTable({ label, data, figure }: ChartTableProps) {
  const language = useLanguage();
  return (
    <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, 'aria-label': label, role: 'region' }}>
      <Table stickyHeader aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{data.labelHeader}</Table.Th>
            {data.series.map((series) => (
              <Table.Th key={series.label} scope="col" ta="end">
                {series.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.labels.map((rowLabel, index) => (
            <Table.Tr key={rowLabel}>
              <Table.Th scope="row" fw={400}>
                {rowLabel}
              </Table.Th>
              {data.series.map((series) => {
                const value = series.values[index] ?? null;
                return (
                  <Table.Td key={series.label} ta="end">
                    {formatFigure(value, figure, language)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
