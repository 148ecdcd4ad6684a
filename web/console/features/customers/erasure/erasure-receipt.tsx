import { Anchor, Button, Card, Group, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { components } from '../../../../shared/api/client';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatDateTime } from '../../../ui/dates';
import { Page } from '../../../ui/page';
import { jsonFile, saveFile } from '../../../ui/save-file';
import { customerTexts } from '../texts/texts';

/** What was erased, with the signed receipt or the id by which it is read when the files have been deleted. */
export function ErasureReceipt({ receipt }: { receipt: components['schemas']['ErasureReceiptDto'] }) {
  const texts = customerTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const { customer_id, erased_at, erased } = receipt;
  const kinds: Record<string, string> = texts.erasedKinds;
  return (
    <Page title={texts.receiptTitle}>
      <Card withBorder data-testid="erasure-receipt">
        <Stack>
          <Text>{texts.receiptText(formatDateTime(erased_at, language, zone))}</Text>
          <Text size="sm" c="dimmed">
            {texts.receiptId(customer_id)}
          </Text>
          <Table captionSide="top" maw={480}>
            <Table.Caption>{texts.receiptCaption}</Table.Caption>
            <Table.Tbody>
              {Object.entries(erased).map(([kind, count]) => (
                <Table.Tr key={kind}>
                  <Table.Th scope="row">{kinds[kind] ?? kind}</Table.Th>
                  <Table.Td ta="end">{count}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Group>
            <Button
              onClick={() => saveFile(`erasure-${customer_id}.json`, jsonFile(receipt))}
              data-testid="receipt-save"
            >
              {texts.receiptSave}
            </Button>
            <Anchor component={Link} to="/customers">
              {texts.backToList}
            </Anchor>
          </Group>
        </Stack>
      </Card>
    </Page>
  );
}
