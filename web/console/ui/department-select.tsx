import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../shared/api/client';
import { useApi } from '../state/console-context';
import { useCommonTexts } from '../texts/texts';

/** The most that the service sends in one page. */
const PAGE_SIZE = 100;

interface DepartmentSelectProps {
  label: string;
  /** The id; empty for all. */
  value: string;
  onChange: (id: string) => void;
}

/** Chooses one department or all, as a filter. */
export function DepartmentSelect({ label, value, onChange }: DepartmentSelectProps) {
  const common = useCommonTexts();
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['departments', 'names'],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/departments', { params: { query: { page_size: PAGE_SIZE, sort_by: 'name' } } }),
      ),
  });
  const departments = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <NativeSelect
      label={label}
      data={[{ value: '', label: common.all }, ...departments]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data-testid="filter-department"
    />
  );
}
