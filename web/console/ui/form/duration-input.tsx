import { Group, Input, NumberInput } from '@mantine/core';
import { useId, useState, type FocusEvent, type ReactNode } from 'react';
import { useCommonTexts } from '../../texts/texts';
import { durationParts, secondsIn, type DurationParts, type Seconds } from './duration-parts';

interface DurationInputProps {
  label: string;
  description?: string;
  /** Shown while it is empty: what that means. */
  placeholder?: string | undefined;
  /** The test ids of its fields are `<name>-minutes` and `<name>-seconds`. */
  name: string;
  value?: Seconds;
  onChange?: (seconds: Seconds) => void;
  error?: ReactNode;
  /** Of the form: what is wrong with it is shown here. */
  'data-path'?: string;
}

const FIELDS = [
  { part: 'minutes', suffix: ' min' },
  { part: 'seconds', suffix: ' s' },
] as const;

/** A time span, typed as minutes and seconds. Its value is in seconds, as the service has it; an empty text for none. */
export function DurationInput({
  label,
  description,
  placeholder,
  name,
  error,
  ...field
}: DurationInputProps) {
  const { durations: texts } = useCommonTexts();
  const { value = '', onChange, 'data-path': path } = field;
  const id = useId();
  // What is typed stays until both fields are left: 90 s is a minute and a half.
  const [typed, setTyped] = useState<DurationParts>(() => durationParts(value));
  const parts = secondsIn(typed) === value ? typed : durationParts(value);
  const change = (changed: Partial<DurationParts>) => {
    const next = { ...parts, ...changed };
    setTyped(next);
    onChange?.(secondsIn(next));
  };
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setTyped(durationParts(value));
  };
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={description}
      error={error}
      labelElement="div"
      errorProps={{ id: `${id}-error` }}
      labelProps={{ id: `${id}-label` }}
    >
      <Group
        gap="xs"
        role="group"
        aria-labelledby={`${id}-label`}
        wrap="nowrap"
        maw="20rem"
        mt={4}
        onBlur={leave}
      >
        {FIELDS.map(({ part, suffix }) => (
          <NumberInput
            key={part}
            aria-label={texts[part]}
            aria-describedby={error ? `${id}-error` : undefined}
            suffix={suffix}
            placeholder={part === 'minutes' ? placeholder : undefined}
            allowDecimal={false}
            allowNegative={false}
            clampBehavior="none"
            error={Boolean(error)}
            value={parts[part]}
            onChange={(number) => change({ [part]: number === '' ? '' : Number(number) })}
            data-testid={`${name}-${part}`}
            data-unit="seconds"
            {...(part === 'minutes' && { 'data-path': path })}
          />
        ))}
      </Group>
    </Input.Wrapper>
  );
}
