import { Badge } from '@mantine/core';
import type { Column } from './long-list.types';

interface ActiveColumnTexts {
  state: string;
  active: string;
  inactive: string;
}

/**
 * Whether a record is active: the column of all lists whose records can be deactivated.
 * @param pending says that an active record cannot be used yet
 */
export function activeColumn<Row extends { active: boolean }>(
  texts: ActiveColumnTexts,
  pending: (row: Row) => string | false = () => false,
): Column<Row> {
  return {
    key: 'active',
    header: texts.state,
    width: '7rem',
    sortBy: 'active',
    cell: (row) => {
      const pendingText = row.active && pending(row);
      return (
        <Badge variant="light" color={pendingText ? 'blue' : row.active ? 'green' : 'gray'}>
          {pendingText || (row.active ? texts.active : texts.inactive)}
        </Badge>
      );
    },
  };
}
