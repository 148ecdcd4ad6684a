import { NativeSelect } from '@mantine/core';
import { useDepartmentList } from '../state/use-departments';
import { useCommonTexts } from '../texts/texts';

interface DepartmentSelectProps {
  label: string;
  /** The id; empty for all. */
  value: string;
  onChange: (id: string) => void;
}

/** Chooses one department or all, as a filter. */
export function DepartmentSelect({ label, value, onChange }: DepartmentSelectProps) {
  const common = useCommonTexts();
  const departments = useDepartmentList().map(({ id, name }) => ({ value: id, label: name }));
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
