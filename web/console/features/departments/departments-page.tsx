import { Badge, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { DEPARTMENTS_KEY, type Department } from '../../state/use-departments';
import { Page } from '../../ui/page';
import { LongList } from '../../ui/table/long-list';
import type { Column } from '../../ui/table/long-list.types';
import { NewDepartmentDialog } from './new-department-dialog';
import { departmentTexts } from './texts/texts';

/** The departments, each with its queue, hours and members. */
export default function DepartmentsPage() {
  const texts = departmentTexts.use();
  const api = useApi();
  const [isCreating, setCreating] = useState(false);
  const columns: Column<Department>[] = [
    {
      key: 'name',
      header: texts.fields.name.label,
      width: 'minmax(12rem, 1fr)',
      sortBy: 'name',
      cell: ({ name }) => name,
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
      key: 'routing',
      header: texts.fields.routing.label,
      width: 'minmax(13rem, 1fr)',
      sortBy: 'routing',
      cell: ({ routing }) => texts.routing[routing],
    },
    { key: 'hours', header: texts.tabs.hours, width: '9rem', cell: hoursText },
    {
      key: 'user_count',
      header: texts.tabs.members,
      width: '8rem',
      sortBy: 'user_count',
      cell: ({ user_count }) => user_count,
    },
    {
      key: 'max_queue_size',
      header: texts.fields.max_queue_size.label,
      width: '10rem',
      sortBy: 'max_queue_size',
      cell: ({ max_queue_size }) => max_queue_size,
    },
  ];
  function hoursText({ opening_hours }: Department) {
    return opening_hours ? texts.hours.byHours : texts.hours.always;
  }
  return (
    <Page
      title={texts.title}
      actions={
        <Button onClick={() => setCreating(true)} data-testid="new-department">
          {texts.create}
        </Button>
      }
    >
      <LongList
        label={texts.title}
        columns={columns}
        queryKey={[...DEPARTMENTS_KEY, 'list']}
        fetchPage={(query) => unwrap(api.GET('/api/v1/departments', { params: { query: query as never } }))}
        sorting={{ by: 'name', order: 'asc' }}
        to={({ id }) => `/departments/${id}`}
        empty={<Text>{texts.empty}</Text>}
        testId="departments"
      />
      {isCreating && <NewDepartmentDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
