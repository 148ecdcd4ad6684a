import { Button, Group, Input, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { departmentTexts } from '../texts/texts';
import { TimeInput } from './time-input';
import { nextPeriod, type HoursForm, type Period } from './hours-values';

interface PeriodFieldsProps {
  form: UseFormReturnType<HoursForm>;
  /** Of the periods in the form: `weekly.mon`. */
  path: string;
  /** The day, for screen readers. */
  day: string;
  periods: readonly Period[];
}

/** The periods of one day. What the service finds wrong with them stands below. */
export function PeriodFields({ form, path, day, periods }: PeriodFieldsProps) {
  const texts = departmentTexts.use().hours;
  // Typing into a period clears only its own error.
  const typed = (index: number, end: keyof Period) => {
    const field = `${path}.${index}.${end}`;
    const { onChange, ...props } = form.getInputProps(field);
    return {
      ...props,
      'data-testid': `${path}.${index}.${end}`,
      onChange: (event: unknown) => {
        form.clearFieldError(path);
        (onChange as (changed: unknown) => void)(event);
      },
    };
  };
  const change = (action: () => void) => {
    form.clearFieldError(path);
    action();
  };
  return (
    <Stack gap="xs" flex="1 1 14rem" data-path={path} tabIndex={-1}>
      {periods.map((_, index) => (
        <Group key={form.key(`${path}.${index}`)} gap="xs">
          <TimeInput aria-label={texts.from(day)} required {...typed(index, 'from')} />
          <span aria-hidden>–</span>
          <TimeInput aria-label={texts.to(day)} required {...typed(index, 'to')} />
          <Button
            variant="default"
            size="xs"
            aria-label={texts.removePeriod(day)}
            onClick={() => change(() => form.removeListItem(path, index))}
          >
            {texts.remove}
          </Button>
        </Group>
      ))}
      <Group gap="xs">
        {periods.length === 0 && <span>{texts.closed}</span>}
        <Button
          variant="subtle"
          size="xs"
          aria-label={texts.addPeriodTo(day)}
          onClick={() => change(() => form.insertListItem(path, nextPeriod(periods)))}
        >
          {texts.addPeriod}
        </Button>
      </Group>
      {form.errors[path] && (
        <Input.Error role="alert" data-testid={`error-${path}`}>
          {form.errors[path]}
        </Input.Error>
      )}
    </Stack>
  );
}
