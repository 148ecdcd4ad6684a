import { signal } from '@preact/signals';
import { chooseLanguage, loadTexts, type Language } from '../../shared/texts/texts';
import type { ConsoleTexts } from './en';

const STORAGE_KEY = 'vcq-console-language';
const LOADERS = { en: () => import('./en'), pt: () => import('./pt'), es: () => import('./es') };

export const language = signal<Language>('en');
export const texts = signal<ConsoleTexts>({} as ConsoleTexts);

/** The stored choice, or the browser's language. */
export function preferredLanguage(): Language {
  return chooseLanguage([localStorage.getItem(STORAGE_KEY) ?? '', ...navigator.languages]);
}

export async function useLanguage(next: Language): Promise<void> {
  texts.value = await loadTexts(LOADERS, next);
  language.value = next;
  document.documentElement.lang = next;
  document.title = texts.value.title;
}

export async function switchLanguage(next: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, next);
  await useLanguage(next);
}
