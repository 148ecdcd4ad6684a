import { Anchor, Button, Group, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { formatDate, formatTime } from '../../ui/dates';
import { SidePanel } from '../../ui/dialog/side-panel';
import { pageOf } from './audit-actions';
import type { AuditFilters } from './audit-query';
import { auditTexts } from './texts/texts';
import { entryDetail, entrySentence, type AuditEntry } from './entry-sentence';

interface EntryDrawerProps {
  entry: AuditEntry;
  onClose: () => void;
  /** Shows the entries with the same record, user or address. */
  onFilter: (filter: Partial<AuditFilters>) => void;
}

/** All that the log knows of one entry. */
export function EntryDrawer({ entry, onClose, onFilter }: EntryDrawerProps) {
  const texts = auditTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  const zone = useZone()?.name;
  const { user_id, user_name, subject_type, subject_id, address, request_id, inserted_at, details } = entry;
  const subject = (texts.subjects as Readonly<Record<string, string>>)[subject_type] ?? subject_type;
  const page = pageOf(subject_type, subject_id);
  const rows: [string, string | null][] = [
    [texts.time, `${formatDate(inserted_at, language, zone)}, ${formatTime(inserted_at, language, zone)}`],
    [texts.user, user_name ?? texts.nobody],
    [texts.subject, `${subject} ${subject_id}`],
    [texts.address, address],
    [texts.request, request_id],
    ...Object.entries(details).map((detail) => entryDetail(detail, texts, common)),
  ];
  return (
    <SidePanel opened onClose={onClose} title={texts.entry}>
      <Stack data-testid="audit-entry">
        <Text fw={600}>
          {user_name && `${user_name} `}
          {entrySentence(entry, texts)}
        </Text>
        <Table aria-label={texts.entry} style={{ overflowWrap: 'anywhere' }}>
          <Table.Tbody>
            {rows.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400} c="dimmed">
                  {name}
                </Table.Th>
                <Table.Td>{value ?? common.none}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {page && (
          <Anchor component={Link} to={page}>
            {texts.openSubject(subject)}
          </Anchor>
        )}
        <Group>
          <Button variant="default" size="xs" onClick={() => onFilter({ subject_id })}>
            {texts.sameSubject}
          </Button>
          {user_id && (
            <Button variant="default" size="xs" onClick={() => onFilter({ user_id })}>
              {texts.sameUser}
            </Button>
          )}
          {address && (
            <Button variant="default" size="xs" onClick={() => onFilter({ address })}>
              {texts.sameAddress}
            </Button>
          )}
        </Group>
      </Stack>
    </SidePanel>
  );
}
