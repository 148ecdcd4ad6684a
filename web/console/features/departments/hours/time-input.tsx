import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useCommonTexts } from '../../../texts/texts';
import { parseTime } from './typed-time';

const EXAMPLE = '09:30';

interface TimeInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** `09:30`; empty for none. */
  value?: string;
  /** Called with an empty text while something is half typed. */
  onChange?: (value: string) => void;
}

/** A time of day as all languages of the console write it: the browser's own field follows the language of the browser. */
export function TimeInput({ value = '', onChange, ...input }: TimeInputProps) {
  const { dates: texts } = useCommonTexts();
  // What is typed stays as it is until the field is left, or for as long as it is no time.
  const [typed, setTyped] = useState<string | null>(null);
  const [hasFocus, setFocus] = useState(false);
  const isTyped = typed !== null && (parseTime(typed) ?? '') === value;
  const isIncomplete = isTyped && typed !== '' && value === '';
  return (
    <TextInput
      placeholder={EXAMPLE}
      inputMode="numeric"
      autoComplete="off"
      maw="7rem"
      {...input}
      error={input.error ?? (isIncomplete && !hasFocus ? texts.incomplete(EXAMPLE) : undefined)}
      value={isTyped ? typed : value}
      data-incomplete={isIncomplete || undefined}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange?.(parseTime(currentTarget.value) ?? '');
      }}
      onFocus={(event) => {
        setFocus(true);
        input.onFocus?.(event);
      }}
      onBlur={(event) => {
        setFocus(false);
        if (!isIncomplete) setTyped(null);
        input.onBlur?.(event);
      }}
    />
  );
}
