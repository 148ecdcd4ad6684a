import { Table, Text } from '@mantine/core';
import { userTexts } from './texts/texts';

/** What became of one line of a list of addresses. */
export interface LineResult {
  email: string;
  problem: string | null;
}

/** @param otherwise what is said of lines without a problem */
export function InvitationResults({ results, otherwise }: { results: LineResult[]; otherwise: string }) {
  const texts = userTexts.use();
  if (results.length === 0) return null;
  return (
    <Table aria-label={texts.results} data-testid="invitation-results" style={{ overflowWrap: 'anywhere' }}>
      <Table.Tbody>
        {results.map(({ email, problem }, index) => (
          <Table.Tr key={index}>
            <Table.Th scope="row" fw={400}>
              {email}
            </Table.Th>
            <Table.Td>
              <Text size="sm" c={problem ? 'red' : undefined}>
                {problem ?? otherwise}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
