import { Button, Group, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { departmentTexts } from '../texts/texts';
import { copyToWorkdays, WEEKDAYS, type HoursForm } from './hours-values';
import { PeriodFields } from './period-fields';

export function WeekFields({ form }: { form: UseFormReturnType<HoursForm> }) {
  const texts = departmentTexts.use().hours;
  const { weekly } = form.values;
  return (
    <>
      {WEEKDAYS.map((day) => (
        <Group key={day} align="start">
          <Text w="7rem" fw={600} pt={6}>
            {texts.days[day]}
          </Text>
          <PeriodFields form={form} path={`weekly.${day}`} day={texts.days[day]} periods={weekly[day]} />
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          onClick={() => form.setFieldValue('weekly', copyToWorkdays(weekly, 'mon'))}
        >
          {texts.copyMonday}
        </Button>
      </Group>
    </>
  );
}
