import { Table, Text } from '@mantine/core';
import { useLanguage } from '../../texts/language';
import { formatFigure } from '../../ui/format-figure';
import { Section } from './section';
import { reportTexts } from './texts/texts';
import type { Overview } from './use-reports';

const ROWS = ['requested', 'returned', 'expired'] as const;

/** Customers who left their place in the line and asked to be called back. */
export function CallbackFigures({ overview: { callbacks } }: { overview: Overview }) {
  const texts = reportTexts.use().callbacks;
  const language = useLanguage();
  return (
    <Section title={texts.title}>
      {callbacks.requested === 0 ? (
        <Text>{texts.empty}</Text>
      ) : (
        <Table aria-label={texts.title} withRowBorders={false} verticalSpacing={4}>
          <Table.Tbody>
            {ROWS.map((row) => (
              <Table.Tr key={row}>
                <Table.Th scope="row" fw={400}>
                  {texts[row]}
                </Table.Th>
                <Table.Td ta="end">{formatFigure(callbacks[row], 'count', language)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}
