import { Text } from '@mantine/core';
import { Section } from './section';
import { reportTexts } from './texts/texts';
import type { Overview } from './use-reports';

/** Calls that had waited so long that another department could take them, too. */
export function OverflowFigure({ overview: { overflowed } }: { overview: Overview }) {
  const texts = reportTexts.use().overflow;
  return (
    <Section title={texts.title} testId="report-overflow">
      <Text>{texts.calls(overflowed)}</Text>
    </Section>
  );
}
