import { Badge } from '@mantine/core';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { formatDateTime } from '../../ui/dates';
import type { Column } from '../../ui/table/long-list.types';
import { userTexts } from './texts/texts';
import type { User } from './user';

export function useUserColumns(): Column<User>[] {
  const texts = userTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  return [
    {
      key: 'name',
      header: texts.name,
      width: 'minmax(10rem, 1.2fr)',
      sortBy: 'name',
      cell: ({ name }) => name,
    },
    {
      key: 'email',
      header: texts.email,
      width: 'minmax(12rem, 1.5fr)',
      sortBy: 'email',
      cell: ({ email }) => email,
    },
    {
      key: 'role',
      header: texts.role,
      width: '7.5rem',
      sortBy: 'role',
      cell: ({ role }) => common.roles[role],
    },
    {
      key: 'active',
      header: texts.state,
      width: '8rem',
      sortBy: 'active',
      cell: ({ active }) => (
        <Badge variant="light" color={active ? 'green' : 'gray'}>
          {active ? texts.active : texts.inactive}
        </Badge>
      ),
    },
    {
      key: 'mfa',
      header: texts.mfa,
      width: '9rem',
      sortBy: 'mfa_enabled',
      cell: ({ mfa_enabled }) => (mfa_enabled ? common.yes : common.no),
    },
    {
      key: 'skills',
      header: texts.skills,
      width: 'minmax(8rem, 1fr)',
      cell: ({ skills }) => skills.map(({ name, level }) => `${name} (${level})`).join(', '),
    },
    {
      key: 'last_login_at',
      header: texts.lastLogin,
      width: '10rem',
      sortBy: 'last_login_at',
      cell: ({ last_login_at }) => formatDateTime(last_login_at, language) || texts.never,
    },
  ];
}
