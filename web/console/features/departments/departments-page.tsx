import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { DEPARTMENTS_KEY } from '../../state/use-departments';
import { Page } from '../../ui/page';
import { LongList } from '../../ui/table/long-list';
import { NewDepartmentDialog } from './new-department-dialog';
import { departmentTexts } from './texts/texts';
import { useDepartmentColumns } from './use-department-columns';

/** The departments, each with its queue, hours and members. */
export default function DepartmentsPage() {
  const texts = departmentTexts.use();
  const api = useApi();
  const [isCreating, setCreating] = useState(false);
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
        columns={useDepartmentColumns()}
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
