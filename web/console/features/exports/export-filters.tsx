import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { DepartmentSelect } from '../../ui/department-select';
import { useSearchField } from '../../ui/use-search-field';
import { CALL_STATUSES, FILTERS, LINK_STATUSES, type ExportKind, type FilterName } from './export-kinds';
import { exportTexts } from './texts/texts';
import { DateInput } from '../../ui/form/date-input';

interface ExportFiltersProps {
  kind: ExportKind;
  values: Readonly<Record<FilterName, string>>;
  onChange: (change: Partial<Record<FilterName, string>>) => void;
}

/** The filters of one kind of export. */
export function ExportFilters({ kind, values, onChange }: ExportFiltersProps) {
  const texts = exportTexts.use();
  const common = useCommonTexts();
  const has = (name: FilterName) => FILTERS[kind].includes(name);
  const statuses =
    kind === 'calls'
      ? CALL_STATUSES.map((value) => ({ value: value as string, label: common.callStatus[value] }))
      : LINK_STATUSES.map((value) => ({ value: value as string, label: texts.linkStatus[value] }));
  return (
    <Group align="start">
      {has('status') && (
        <NativeSelect
          label={texts.status}
          data={[{ value: '', label: common.all }, ...statuses]}
          value={values.status}
          onChange={({ currentTarget }) => onChange({ status: currentTarget.value })}
          data-testid="export-status"
        />
      )}
      {has('department_id') && (
        <DepartmentSelect
          label={texts.department}
          value={values.department_id}
          onChange={(department_id) => onChange({ department_id })}
        />
      )}
      {has('date_from') && (
        <>
          <DateInput
            isFilter
            label={texts.from}
            value={values.date_from}
            max={values.date_to || undefined}
            onChange={(date_from) => onChange({ date_from })}
            data-testid="export-from"
          />
          <DateInput
            isFilter
            label={texts.to}
            value={values.date_to}
            min={values.date_from || undefined}
            error={values.date_to && values.date_to < values.date_from ? texts.reversed : undefined}
            onChange={(date_to) => onChange({ date_to })}
            data-testid="export-to"
          />
        </>
      )}
      <SearchInput key={kind} value={values.search} onChange={(search) => onChange({ search })} />
    </Group>
  );
}

/** Tells what was typed after a short pause. */
function SearchInput({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const common = useCommonTexts();
  const field = useSearchField(value, onChange);
  return <TextInput type="search" label={common.search} data-testid="export-search" {...field} />;
}
