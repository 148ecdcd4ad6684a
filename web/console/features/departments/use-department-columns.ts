import type { Department } from '../../state/use-departments';
import { activeColumn } from '../../ui/table/active-column';
import { fieldColumn } from '../../ui/table/field-column';
import type { Column } from '../../ui/table/long-list.types';
import { departmentTexts } from './texts/texts';

export function useDepartmentColumns(): Column<Department>[] {
  const texts = departmentTexts.use();
  return [
    fieldColumn('name', texts.fields.name.label, 'minmax(10rem, 1fr)'),
    activeColumn(texts),
    {
      key: 'routing',
      header: texts.fields.routing.label,
      width: 'minmax(13rem, 1fr)',
      sortBy: 'routing',
      cell: ({ routing }) => texts.routing[routing],
    },
    {
      key: 'hours',
      header: texts.tabs.hours,
      width: '9rem',
      cell: ({ opening_hours }) => (opening_hours ? texts.hours.byHours : texts.hours.always),
    },
    fieldColumn('user_count', texts.tabs.members, '7rem'),
    fieldColumn('max_queue_size', texts.fields.max_queue_size.label, '11rem'),
  ];
}
