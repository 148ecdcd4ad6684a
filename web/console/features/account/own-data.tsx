import { Table, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { useConsole, useHasRole } from '../../state/console-context';
import { ME_KEY } from '../../state/use-me';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { formatDateTime } from '../../ui/dates';
import { FormGroup } from '../../ui/form/form-group';
import { notifySuccess, PageForm } from '../../ui/form/page-form';
import { useSave } from '../../ui/form/use-save';
import { PhotoField } from '../../ui/pictures/photo-field';
import { accountTexts } from './texts/texts';

type CurrentUser = components['schemas']['CurrentUserDto'];

/** What the service knows about the user, who changes photo, name and phone; managers change the rest. */
export function OwnData({ user }: { user: CurrentUser }) {
  const texts = accountTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  const zone = useZone()?.name;
  const isManager = useHasRole('manager');
  const rows = [
    [texts.email, user.email],
    [texts.role, common.roles[user.role]],
    [texts.skills, user.skills.map(({ name, level }) => `${name} (${level})`).join(', ') || common.none],
    [texts.lastLogin, formatDateTime(user.last_login_at, language, zone)],
  ];
  return (
    <FormGroup title={texts.data} text={isManager ? texts.dataTextManager : texts.dataText}>
      <PhotoField user={user} />
      <OwnFields user={user} />
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

function OwnFields({ user }: { user: CurrentUser }) {
  const texts = accountTexts.use();
  const common = useCommonTexts();
  const { session } = useConsole();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: user.name, phone: user.phone ?? '' } });
  const save = useSave({
    form,
    send: ({ name, phone }) =>
      unwrap(session.api.PUT('/api/v1/users/me', { body: { name, phone: phone || null } })),
    stored: ({ data }) => ({ name: data.name, phone: data.phone ?? '' }),
    done: ({ data }) => {
      queries.setQueryData(ME_KEY, data);
      session.rename(data.name);
      notifySuccess(common.saved);
    },
  });
  return (
    <PageForm save={save} data-testid="save-own-data">
      <TextInput
        label={texts.name}
        autoComplete="name"
        required
        data-testid="own-name"
        {...form.getInputProps('name')}
      />
      <TextInput
        type="tel"
        label={texts.phone}
        autoComplete="tel"
        data-testid="own-phone"
        {...form.getInputProps('phone')}
      />
    </PageForm>
  );
}
