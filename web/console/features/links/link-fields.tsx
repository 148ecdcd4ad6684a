import { NativeSelect, NumberInput, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Zone } from '../../state/use-zone';
import { useDepartmentChoices } from '../../ui/choices/use-department-choices';
import { PriorityField } from '../../ui/required-skills/priority-field';
import { SkillFields } from '../../ui/required-skills/skill-fields';
import type { LinkValues } from './link-values';
import { linkTexts } from './texts/texts';
import { DateInput } from '../../ui/form/date-input';

interface LinkFieldsProps {
  form: UseFormReturnType<LinkValues>;
  zone: Zone;
}

/** What one link and all links of a batch have in common. */
export function LinkFields({ form, zone }: LinkFieldsProps) {
  const texts = linkTexts.use();
  const departments = useDepartmentChoices();
  return (
    <>
      <NativeSelect
        label={texts.department}
        required
        data={[{ value: '', label: texts.chooseDepartment }, ...departments]}
        data-testid="link-department"
        {...form.getInputProps('department_id')}
      />
      <DateInput
        withTime
        label={texts.expires}
        description={texts.expiresHint(zone.name)}
        {...form.getInputProps('expires_at')}
      />
      <Switch
        label={texts.singleUse}
        description={texts.singleUseHint}
        checked={form.getValues().max_uses === 1}
        onChange={({ currentTarget }) => form.setFieldValue('max_uses', currentTarget.checked ? 1 : '')}
      />
      <NumberInput
        label={texts.maxUses}
        description={texts.maxUsesHint}
        min={1}
        allowDecimal={false}
        {...form.getInputProps('max_uses')}
      />
      <PriorityField {...form.getInputProps('priority')} />
      <SkillFields form={form} />
    </>
  );
}
