import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { formatDateTime } from '../../ui/dates';
import { activeColumn } from '../../ui/table/active-column';
import { fieldColumn } from '../../ui/table/field-column';
import type { Column } from '../../ui/table/long-list.types';
import { userTexts } from './texts/texts';
import type { User } from './user';

export function useUserColumns(): Column<User>[] {
  const texts = userTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  const zone = useZone()?.name;
  return [
    fieldColumn('name', texts.name, 'minmax(9rem, 1.2fr)'),
    fieldColumn('email', texts.email, 'minmax(11rem, 1.5fr)'),
    {
      key: 'role',
      header: texts.role,
      width: '7rem',
      sortBy: 'role',
      cell: ({ role }) => common.roles[role],
    },
    activeColumn<User>(texts, ({ invited }) => invited && texts.isInvited),
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
      width: 'minmax(7rem, 1fr)',
      cell: ({ skills }) => skills.map(({ name, level }) => `${name} (${level})`).join(', '),
    },
    {
      key: 'last_login_at',
      header: texts.lastLogin,
      width: '10.5rem',
      sortBy: 'last_login_at',
      cell: ({ last_login_at }) => formatDateTime(last_login_at, language, zone) || texts.never,
    },
  ];
}
