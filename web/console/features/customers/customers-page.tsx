import { Button, Stack, Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../ui/page';
import { useFilters } from '../../ui/use-filters';
import { CustomerDialog } from './customer-dialog';
import { CustomerList } from './customer-list';
import { DuplicateList } from './duplicates/duplicate-list';
import { customerTexts } from './texts/texts';

const FILTERS = { view: 'all', search: '' };

/** All customers, or those who are probably the same person. */
export default function CustomersPage() {
  const texts = customerTexts.use();
  const navigate = useNavigate();
  const [filters, change] = useFilters(FILTERS);
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title={texts.title}
      actions={
        <Button onClick={() => setCreating(true)} data-testid="customer-create">
          {texts.create}
        </Button>
      }
    >
      <Tabs
        value={filters.view}
        onChange={(view) => change({ view: view ?? FILTERS.view })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="all">{texts.everyone}</Tabs.Tab>
          <Tabs.Tab value="duplicates" data-testid="customer-duplicates">
            {texts.duplicates}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="all">
          <Stack>
            <CustomerList search={filters.search} onSearch={(search) => change({ search })} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="duplicates">
          <DuplicateList />
        </Tabs.Panel>
      </Tabs>
      {isCreating && (
        <CustomerDialog
          customer={null}
          onClose={() => setCreating(false)}
          onSaved={({ id }) => void navigate({ to: `/customers/${id}` as never })}
        />
      )}
    </Page>
  );
}
