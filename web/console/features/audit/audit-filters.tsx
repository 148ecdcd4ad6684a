import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { ACTION_GROUPS, ACTIONS, SUBJECTS } from './audit-actions';
import { isAddress, type AuditFilters } from './audit-query';
import { auditTexts } from './texts/texts';
import { UserSelect } from './user-select';
import { DateInput } from '../../ui/form/date-input';

interface AuditFilterBarProps {
  filters: AuditFilters;
  onChange: (change: Partial<AuditFilters>) => void;
}

/** By user, action, subject, address and day. */
export function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const texts = auditTexts.use();
  const common = useCommonTexts();
  return (
    <>
      <UserSelect label={texts.user} value={filters.user_id} onChange={(user_id) => onChange({ user_id })} />
      <NativeSelect
        label={texts.action}
        value={filters.action}
        onChange={({ currentTarget }) => onChange({ action: currentTarget.value })}
        data-testid="audit-action"
      >
        <option value="">{common.all}</option>
        {ACTION_GROUPS.map((group) => (
          <optgroup key={group} label={texts.groups[group]}>
            {ACTIONS[group].map((action) => (
              <option key={action} value={action}>
                {texts.actions[action]}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
      <NativeSelect
        label={texts.subject}
        data={[
          { value: '', label: common.all },
          ...SUBJECTS.map((value) => ({ value: value as string, label: texts.subjects[value] })),
        ]}
        value={filters.subject_type}
        onChange={({ currentTarget }) => onChange({ subject_type: currentTarget.value })}
        data-testid="audit-subject"
      />
      <TextInput
        label={texts.address}
        value={filters.address}
        error={filters.address && !isAddress(filters.address) ? texts.wholeAddress : undefined}
        onChange={({ currentTarget }) => onChange({ address: currentTarget.value.trim() })}
        data-testid="audit-address"
      />
      <DateInput
        isFilter
        label={texts.from}
        value={filters.date_from}
        onChange={(date_from) => onChange({ date_from })}
      />
      <DateInput
        isFilter
        label={texts.to}
        value={filters.date_to}
        onChange={(date_to) => onChange({ date_to })}
      />
      {filters.subject_id && (
        <Button variant="default" mt="xl" onClick={() => onChange({ subject_id: '' })}>
          {texts.oneSubject}
        </Button>
      )}
    </>
  );
}
