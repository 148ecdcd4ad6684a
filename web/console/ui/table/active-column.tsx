import { Badge } from '@mantine/core';
import type { Column } from './long-list.types';

interface ActiveColumnTexts {
  state: string;
  active: string;
  inactive: string;
}

/** Whether a record is active: the column of all lists whose records can be deactivated. */
export function activeColumn<Row extends { active: boolean }>(texts: ActiveColumnTexts): Column<Row> {
  return {
    key: 'active',
    header: texts.state,
    width: '7rem',
    sortBy: 'active',
    cell: ({ active }) => (
      <Badge variant="light" color={active ? 'green' : 'gray'}>
        {active ? texts.active : texts.inactive}
      </Badge>
    ),
  };
}
