import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useConsole, useHasRole } from '../../state/console-context';
import { useDepartmentList } from '../../state/use-departments';
import { useCommonTexts } from '../../texts/texts';
import { useSignalValue } from '../../ui/use-signal-value';
import { useSearchField } from '../../ui/use-search-field';
import { type CallFilters, isFiltered, NO_FILTERS, STATUSES } from './call-filters.rules';
import { callsTexts } from './texts/texts';
import { DateInput } from '../../ui/form/date-input';

interface FilterBarProps {
  filters: CallFilters;
  onChange: (change: Partial<CallFilters>) => void;
}

/** The filters of the list. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { filters: texts } = callsTexts.use();
  const { all, callStatus } = useCommonTexts();
  const departments = useDepartmentList();
  const agents = useSignalValue(useConsole().queue.agents);
  const mayListDepartments = useHasRole('supervisor');
  // New fields, so that also a half typed day goes, which is in no filter.
  const [clears, setClears] = useState(0);
  const clear = () => {
    onChange(NO_FILTERS);
    setClears(clears + 1);
  };
  const everything = { value: '', label: all };
  const select = (name: 'status' | 'department_id' | 'user_id') => ({
    value: filters[name],
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLSelectElement>) =>
      onChange({ [name]: currentTarget.value }),
  });
  const day = (name: 'date_from' | 'date_to') => ({
    value: filters[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <Group gap="sm" align="end" role="search" aria-label={texts.label}>
      <SearchField value={filters.search} onChange={(search) => onChange({ search })} />
      <NativeSelect
        label={texts.status}
        data-testid="filter-status"
        data={[everything, ...STATUSES.map((value) => ({ value, label: callStatus[value] }))]}
        {...select('status')}
      />
      {mayListDepartments && (
        <NativeSelect
          label={texts.department}
          data={[everything, ...departments.map(({ id, name }) => ({ value: id, label: name }))]}
          {...select('department_id')}
        />
      )}
      <NativeSelect
        label={texts.agent}
        data={[everything, ...agents.map(({ user_id, name }) => ({ value: user_id, label: name }))]}
        {...select('user_id')}
      />
      <DateInput key={`from ${clears}`} isFilter label={texts.from} {...day('date_from')} />
      <DateInput key={`to ${clears}`} isFilter label={texts.to} {...day('date_to')} />
      {isFiltered(filters) && (
        // A field that loses the focus by the press may change the filters, and this button would be gone before its click.
        <Button variant="subtle" onMouseDown={(event) => event.preventDefault()} onClick={clear}>
          {texts.clear}
        </Button>
      )}
    </Group>
  );
}

/** Asks the service when the typing pauses. */
function SearchField({ value, onChange }: { value: string; onChange: (search: string) => void }) {
  const { filters: texts } = callsTexts.use();
  const field = useSearchField(value, onChange);
  return (
    <TextInput
      type="search"
      label={texts.search}
      placeholder={texts.searchHint}
      data-testid="filter-search"
      maxLength={255}
      {...field}
    />
  );
}
