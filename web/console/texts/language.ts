import { signal } from '@preact/signals-core';
import { use } from 'react';
import { chooseLanguage, loadTexts, type Language, type TextLoaders } from '../../shared/texts/texts';
import { useSignalValue } from '../ui/use-signal-value';

const STORAGE_KEY = 'vcq-console-language';
const RETRY_MS = 3000;

export const language = signal<Language>(preferredLanguage());

export const useLanguage = (): Language => useSignalValue(language);

/** Remembers the language for this browser, and shows the console in it. */
export function switchLanguage(next: Language): void {
  localStorage.setItem(STORAGE_KEY, next);
  language.value = next;
}

/** The texts of one part of the console: loaded with it, in the language of the reader. */
export interface Texts<T> {
  /** Begins to load them. */
  preload(): Promise<T>;
  /** Suspends the component until they are loaded. */
  use(): T;
}

/** @param loaders `{ en: () => import('./en'), … }` */
export function textsOf<T>(loaders: TextLoaders<T>): Texts<T> {
  const loaded = new Map<Language, Promise<T>>();
  const load = (wanted: Language): Promise<T> => {
    const known = loaded.get(wanted);
    if (known) return known;
    const others = [...loaded.values()];
    // After another version was deployed they may be missing. Then those of another language help more than none.
    const loading = loadTexts(loaders, wanted).catch((error) => others.at(-1) ?? Promise.reject(error));
    loaded.set(wanted, loading);
    // Tried again when it is asked for again, but not at once: a component is rendered again whenever it has failed.
    loading.catch(() => setTimeout(() => loaded.delete(wanted), RETRY_MS));
    return loading;
  };
  return {
    preload: () => load(language.peek()),
    use: () => use(load(useLanguage())),
  };
}

/** The stored choice, or the browser's language. */
function preferredLanguage(): Language {
  return chooseLanguage([localStorage.getItem(STORAGE_KEY) ?? '', ...navigator.languages]);
}
