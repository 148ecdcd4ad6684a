import { Progress, Table, Text } from '@mantine/core';
import { useLanguage } from '../../texts/language';
import { formatFigure } from '../../ui/format-figure';
import { Section } from './section';
import { reportTexts } from './texts/texts';
import type { Overview } from './use-reports';

const STARS = ['5', '4', '3', '2', '1'] as const;

/** How customers rated their calls. */
export function Ratings({ overview }: { overview: Overview }) {
  const texts = reportTexts.use();
  const language = useLanguage();
  const { ratings } = overview;
  const total = STARS.reduce((sum, star) => sum + ratings[star], 0);
  return (
    <Section title={texts.ratings.title} testId="report-ratings">
      {total === 0 ? (
        <Text>{texts.ratings.empty}</Text>
      ) : (
        <Table aria-label={texts.ratings.title} withRowBorders={false} verticalSpacing={4}>
          <Table.Tbody>
            {STARS.map((star) => (
              <Table.Tr key={star}>
                <Table.Th scope="row" w="7rem" fw={400}>
                  {texts.ratings.stars(Number(star))}
                </Table.Th>
                <Table.Td aria-hidden>
                  <Progress value={(ratings[star] / total) * 100} size="lg" tabIndex={-1} />
                </Table.Td>
                <Table.Td ta="end" w="8rem">
                  {formatFigure(ratings[star], 'count', language)} (
                  {formatFigure(ratings[star] / total, 'share', language)})
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}
