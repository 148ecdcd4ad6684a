import { Table } from '@mantine/core';
import type { components } from '../../../shared/api/client';
import { useHasRole } from '../../state/console-context';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { formatDateTime } from '../../ui/dates';
import { FormGroup } from '../../ui/form/form-group';
import { PhotoField } from '../../ui/pictures/photo-field';
import { accountTexts } from './texts/texts';

/** What the service knows about the user. Managers change it. */
export function OwnData({ user }: { user: components['schemas']['UserDto'] }) {
  const texts = accountTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  const isManager = useHasRole('manager');
  const rows = [
    [texts.name, user.name],
    [texts.email, user.email],
    [texts.phone, user.phone ?? common.none],
    [texts.role, common.roles[user.role]],
    [texts.skills, user.skills.map(({ name, level }) => `${name} (${level})`).join(', ') || common.none],
    [texts.lastLogin, formatDateTime(user.last_login_at, language)],
  ];
  return (
    <FormGroup title={texts.data} text={isManager ? texts.dataTextManager : texts.dataText}>
      <PhotoField user={user} />
      <Table variant="vertical" layout="fixed">
        <Table.Tbody>
          {rows.map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th w="12rem">{label}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </FormGroup>
  );
}
