import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState, type ChangeEvent } from 'react';

const TYPING_MS = 300;

/**
 * Props of a field whose text is searched for when the typing pauses.
 * @param searched what is searched for. The field shows it when it changes otherwise, for example by the page's entry in the menu
 */
export function useSearchField(searched: string, onSearch: (text: string) => void) {
  const [typed, setTyped] = useState(searched);
  /** What this field has asked for last, or follows. */
  const asked = useRef(searched);
  const searchSoon = useDebouncedCallback((text: string) => {
    asked.current = text;
    onSearch(text);
  }, TYPING_MS);
  useEffect(() => {
    // What was typed while the answer to this field came stays.
    if (searched === asked.current) return;
    asked.current = searched;
    searchSoon.cancel();
    setTyped(searched);
  }, [searched, searchSoon]);
  return {
    value: typed,
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
      setTyped(value);
      searchSoon(value);
    },
  };
}
