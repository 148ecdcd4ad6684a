import { Group, NativeSelect, TextInput } from '@mantine/core';
import { DepartmentSelect } from '../../ui/department-select';
import { PERIODS, type PeriodName } from './period';
import type { ReportTexts } from './texts/en';
import { reportTexts } from './texts/texts';
import type { ReportFilters } from './use-report-filters';

interface ReportFilterBarProps {
  /** Of the own dates. */
  problem: keyof ReportTexts['problems'] | null;
  filters: ReportFilters;
  onChange: (change: Partial<ReportFilters>) => void;
}

/** Period and department. */
export function ReportFilterBar({ filters, problem, onChange }: ReportFilterBarProps) {
  const texts = reportTexts.use();
  return (
    <Group align="start">
      <NativeSelect
        label={texts.period}
        data={PERIODS.map((name) => ({ value: name, label: texts.periods[name] }))}
        value={filters.period}
        onChange={({ currentTarget }) => onChange({ period: currentTarget.value as PeriodName })}
        data-testid="report-period"
      />
      {filters.period === 'own' && (
        <>
          <TextInput
            type="date"
            label={texts.from}
            value={filters.from}
            max={filters.to || undefined}
            onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
            data-testid="report-from"
          />
          <TextInput
            type="date"
            label={texts.to}
            value={filters.to}
            min={filters.from || undefined}
            onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
            error={problem && problem !== 'incomplete' ? texts.problems[problem] : undefined}
            data-testid="report-to"
          />
        </>
      )}
      <DepartmentSelect
        label={texts.department}
        value={filters.department_id}
        onChange={(department_id) => onChange({ department_id })}
      />
    </Group>
  );
}
