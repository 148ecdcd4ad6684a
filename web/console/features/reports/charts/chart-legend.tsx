import { Group, Text } from '@mantine/core';
import { useLanguage } from '../../../texts/language';
import { formatFigure } from '../../../ui/format-figure';
import { COLORS, DASHES } from './chart-options';
import type { ChartData, ChartSeries, ChartStyle } from './chart.types';

interface ChartLegendProps {
  data: ChartData;
  style: ChartStyle;
  scheme: 'light' | 'dark';
  /** The point that the pointer is at. */
  point: number | null;
}

/** What the lines and bars are; with their values at the pointer. */
export function ChartLegend({ data, style, scheme, point }: ChartLegendProps) {
  const language = useLanguage();
  const label = point === null ? undefined : data.labels[point];
  return (
    <Group gap="md" mih="1.6rem">
      {data.series.map((series) => {
        const value = point === null ? null : (series.values[point] ?? null);
        return (
          <Group key={series.label} gap={6} wrap="nowrap">
            <Sample style={style} look={series.look} color={COLORS[scheme][series.look]} />
            <Text size="sm">
              {series.label}
              {value !== null && (
                <Text span fw={600}>
                  : {formatFigure(value, style.figure, language)}
                </Text>
              )}
            </Text>
          </Group>
        );
      })}
      {label !== undefined && (
        <Text size="sm" c="dimmed">
          {label}
        </Text>
      )}
    </Group>
  );
}

interface SampleProps {
  style: ChartStyle;
  look: ChartSeries['look'];
  color: string;
}

function Sample({ style, look, color }: SampleProps) {
  return (
    <svg width="28" height="12" aria-hidden>
      {style.kind === 'bars' ? (
        <rect
          x="6"
          y="0.5"
          width="14"
          height="11"
          stroke={color}
          fill={color}
          fillOpacity={look === 0 ? 0.33 : 1}
        />
      ) : (
        <line
          x1="0"
          y1="6"
          x2="28"
          y2="6"
          stroke={color}
          strokeWidth="2.5"
          strokeDasharray={DASHES[look].join(' ')}
        />
      )}
    </svg>
  );
}
