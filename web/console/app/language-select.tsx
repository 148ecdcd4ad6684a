import { NativeSelect } from '@mantine/core';
import { startTransition } from 'react';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../shared/texts/texts';
import { switchLanguage, useLanguage } from '../texts/language';
import { useCommonTexts } from '../texts/texts';

const CHOICES = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));

export function LanguageSelect() {
  const texts = useCommonTexts();
  const language = useLanguage();
  return (
    <NativeSelect
      aria-label={texts.language}
      data-testid="language"
      size="xs"
      data={CHOICES}
      value={language}
      onChange={({ currentTarget }) => startTransition(() => switchLanguage(currentTarget.value as Language))}
    />
  );
}
