import { Group, NativeSelect } from '@mantine/core';
import { useHasRole } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import type { Choice } from '../../ui/choices/departments.rules';
import { appointmentTexts } from './texts/texts';
import { APPOINTMENT_STATUSES } from './use-appointments';

export const FILTERS = { user_id: '', status: '' };

interface AppointmentFiltersProps {
  filters: typeof FILTERS;
  onChange: (changed: Partial<typeof FILTERS>) => void;
  agents: readonly Choice[];
}

/** Which appointments the calendar shows. */
export function AppointmentFilters({ filters, onChange, agents }: AppointmentFiltersProps) {
  const texts = appointmentTexts.use();
  const common = useCommonTexts();
  const isSupervisor = useHasRole('supervisor');
  const all = { value: '', label: common.all };
  return (
    <Group align="end">
      {isSupervisor && (
        <NativeSelect
          label={texts.agent}
          value={filters.user_id}
          onChange={({ currentTarget }) => onChange({ user_id: currentTarget.value })}
          data={[all, ...agents]}
        />
      )}
      <NativeSelect
        label={texts.status}
        value={filters.status}
        onChange={({ currentTarget }) => onChange({ status: currentTarget.value })}
        data={[all, ...APPOINTMENT_STATUSES.map((value) => ({ value, label: texts.statuses[value] }))]}
      />
    </Group>
  );
}
