import { Button, Group, Input, Paper, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { departmentTexts } from '../texts/texts';
import type { HoursForm } from './hours-values';
import { PeriodFields } from './period-fields';
import { DateInput } from '../../../ui/form/date-input';
import { formatTyped } from '../../../ui/form/typed-date';
import { useLanguage } from '../../../texts/language';

/** Days with other hours than their day of the week, such as holidays. */
export function ExceptionFields({ form }: { form: UseFormReturnType<HoursForm> }) {
  const texts = departmentTexts.use().hours;
  const language = useLanguage();
  const { exceptions } = form.values;
  return (
    <Stack gap="sm" data-path="exceptions" tabIndex={-1}>
      {form.errors['exceptions'] && <Input.Error role="alert">{form.errors['exceptions']}</Input.Error>}
      {exceptions.map(({ date, intervals }, index) => (
        <Paper key={form.key(`exceptions.${index}`)} withBorder p="sm">
          <Stack gap="xs">
            <Group align="end">
              <DateInput
                label={texts.date}
                required
                data-testid={`exceptions.${index}.date`}
                {...form.getInputProps(`exceptions.${index}.date`)}
              />
              <TextInput
                label={texts.label}
                placeholder={texts.labelExample}
                {...form.getInputProps(`exceptions.${index}.label`)}
              />
              <Button
                variant="default"
                aria-label={texts.removeException(formatTyped(date, language))}
                onClick={() => form.removeListItem('exceptions', index)}
              >
                {texts.remove}
              </Button>
            </Group>
            <PeriodFields
              form={form}
              path={`exceptions.${index}.intervals`}
              day={formatTyped(date, language) || texts.date}
              periods={intervals}
            />
          </Stack>
        </Paper>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          data-testid="add-exception"
          onClick={() => form.insertListItem('exceptions', { date: '', label: '', intervals: [] })}
        >
          {texts.addException}
        </Button>
      </Group>
    </Stack>
  );
}
