import { Card, SimpleGrid, Text } from '@mantine/core';
import { useLanguage } from '../../texts/language';
import { compare, FIGURES, type Comparison } from './figures';
import { formatFigure } from '../../ui/format-figure';
import { reportTexts } from './texts/texts';
import type { Overview } from './use-reports';

/** The figures of the period, each with what it was in the one before. */
export function OverviewFigures({ overview }: { overview: Overview }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, lg: 4 }} spacing="sm" data-testid="report-overview">
      {FIGURES.map((figure) => (
        <FigureCard
          key={figure.key}
          figure={figure}
          now={overview[figure.key]}
          before={overview.previous[figure.key]}
        />
      ))}
    </SimpleGrid>
  );
}

interface FigureCardProps {
  figure: (typeof FIGURES)[number];
  now: number | null;
  before: number | null;
}

function FigureCard({ figure, now, before }: FigureCardProps) {
  const texts = reportTexts.use();
  const language = useLanguage();
  const comparison = compare(figure, now, before);
  return (
    <Card withBorder padding="sm" data-testid={`figure-${figure.key}`}>
      <Text size="sm" c="dimmed">
        {texts.figures[figure.key]}
      </Text>
      <Text size="xl" fw={700}>
        {formatFigure(now, figure.kind, language)}
      </Text>
      {comparison && <Judgement comparison={comparison} />}
      <Text size="xs" c="dimmed">
        {texts.before(formatFigure(before, figure.kind, language))}
      </Text>
    </Card>
  );
}

const ARROWS = { up: '▲', down: '▼', same: '=' } as const;
const CLASSES = { better: 'figure-better', worse: 'figure-worse' } as const;

function Judgement({ comparison: { direction, judgement } }: { comparison: Comparison }) {
  const texts = reportTexts.use();
  return (
    <Text size="sm" fw={600} className={judgement ? CLASSES[judgement] : undefined}>
      <span aria-hidden>{ARROWS[direction]} </span>
      {texts.directions[direction]}
      {judgement && `, ${texts.judgements[judgement]}`}
    </Text>
  );
}
