import { Group, NativeSelect } from '@mantine/core';
import { DepartmentSelect } from '../../ui/department-select';
import { PERIODS, type PeriodName } from './period';
import type { ReportTexts } from './texts/en';
import { reportTexts } from './texts/texts';
import type { ReportFilters } from './use-report-filters';
import { DateInput } from '../../ui/form/date-input';

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
          <DateInput
            isFilter
            label={texts.from}
            value={filters.from}
            max={filters.to || undefined}
            onChange={(from) => onChange({ from })}
            data-testid="report-from"
          />
          <DateInput
            isFilter
            label={texts.to}
            value={filters.to}
            min={filters.from || undefined}
            onChange={(to) => onChange({ to })}
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
