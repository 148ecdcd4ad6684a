import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { formatTyped, parseTyped, type TypedDate } from './typed-date';

const EXAMPLE = '2027-01-31T09:30';
const LEFT_MS = 300;

interface DateInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'min' | 'max'> {
  /** Empty for none. */
  value?: TypedDate;
  /** Called with an empty text for something half typed: at each key, or for a filter when the field is left. */
  onChange?: (value: TypedDate) => void;
  /** Whether it is a day with a time, and not a day alone. */
  withTime?: boolean;
  /** Whether each change loads something: then a half typed day leaves the value as it is until the field is left. */
  isFilter?: boolean;
  /** The days that the calendar offers. */
  min?: TypedDate | undefined;
  max?: TypedDate | undefined;
}

/**
 * A day, or a day with a time, as the user's language writes it: the browser's own fields follow the language of the browser.
 * Its calendar is the browser's.
 */
export function DateInput({
  value = '',
  onChange,
  withTime = false,
  isFilter = false,
  min,
  max,
  ...input
}: DateInputProps) {
  const { dates: texts } = useCommonTexts();
  const language = useLanguage();
  const calendar = useRef<HTMLInputElement>(null);
  // What is typed stays as it is until the field is left, or for as long as it is no date, and the value has not been changed
  // by something else.
  const [typed, setTyped] = useState<{ text: string; value: TypedDate } | null>(null);
  const [hasFocus, setFocus] = useState(false);
  // Later: what is said below the field moves buttons away from a pointer that presses one of them.
  const [isLeft, setLeft] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setLeft(!hasFocus), hasFocus ? 0 : LEFT_MS);
    return () => clearTimeout(timer);
  }, [hasFocus]);
  const parse = (text: string) => parseTyped(text, language, withTime);
  const isTyped = typed !== null && typed.value === value;
  const isIncomplete = isTyped && typed.text !== '' && parse(typed.text) === null;
  const example = formatTyped(withTime ? EXAMPLE : EXAMPLE.slice(0, 10), language);
  const type = (text: string) => {
    const next = parse(text) ?? (isFilter && text !== '' ? value : '');
    setTyped({ text, value: next });
    if (next !== value || !isFilter) onChange?.(next);
  };
  const leave = () => {
    if (!isIncomplete) return setTyped(null);
    setTyped({ ...typed, value: '' });
    if (value !== '') onChange?.('');
  };
  const openCalendar = () => {
    try {
      calendar.current?.showPicker();
    } catch {
      // Browsers without it open the calendar of a field that gets the focus.
      calendar.current?.focus();
    }
  };
  const choose = (day: TypedDate) => {
    setTyped(null);
    onChange?.(day);
  };
  return (
    <TextInput
      placeholder={example}
      inputMode={withTime ? undefined : 'numeric'}
      autoComplete="off"
      {...input}
      error={input.error ?? (isIncomplete && !hasFocus && isLeft ? texts.incomplete(example) : undefined)}
      value={isTyped ? typed.text : formatTyped(value, language)}
      data-incomplete={isIncomplete || undefined}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onFocus={(event) => {
        setFocus(true);
        input.onFocus?.(event);
      }}
      onBlur={(event) => {
        setFocus(false);
        leave();
        input.onBlur?.(event);
      }}
      rightSection={
        <>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.calendar} onClick={openCalendar}>
            <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" aria-hidden>
              <rect x="1.5" y="2.5" width="13" height="12" rx="2" />
              <path d="M1.5 6.5h13M5 1v3M11 1v3" />
            </svg>
          </ActionIcon>
          <input
            ref={calendar}
            type={withTime ? 'datetime-local' : 'date'}
            value={value}
            min={min}
            max={max}
            tabIndex={-1}
            aria-hidden
            onChange={({ currentTarget }) => choose(currentTarget.value)}
            style={{
              position: 'absolute',
              insetBlockEnd: 0,
              insetInlineEnd: 0,
              inlineSize: 1,
              blockSize: 1,
              padding: 0,
              border: 0,
              opacity: 0,
              pointerEvents: 'none',
            }}
          />
        </>
      }
    />
  );
}
