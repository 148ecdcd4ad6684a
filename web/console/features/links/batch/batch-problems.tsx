import { Table, Text } from '@mantine/core';
import { linkTexts } from '../texts/texts';
import type { BatchLine } from './batch.rules';

const SHOWN = 20;

interface BatchProblemsProps {
  bad: readonly BatchLine[];
  /** What the service says, in the reader's language, by the number of the line. */
  refused: ReadonlyMap<number, string[]>;
}

/** The lines that cannot become links, each with what is wrong. */
export function BatchProblems({ bad, refused }: BatchProblemsProps) {
  const texts = linkTexts.use();
  if (bad.length === 0) return null;
  return (
    <>
      <Table captionSide="top" data-testid="batch-problems">
        <Table.Caption>{texts.problems}</Table.Caption>
        <Table.Tbody>
          {bad.slice(0, SHOWN).map(({ number, text, problems }) => (
            <Table.Tr key={number}>
              <Table.Th scope="row">{texts.lineNumber(number)}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{text}</Table.Td>
              <Table.Td>
                {[
                  ...problems.map((problem) => texts.lineProblems[problem]),
                  ...(refused.get(number) ?? []),
                ].join(' ')}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {bad.length > SHOWN && <Text size="sm">{texts.moreProblems(bad.length - SHOWN)}</Text>}
    </>
  );
}
