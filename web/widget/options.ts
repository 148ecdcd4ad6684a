import { chooseLanguage, type Language } from '../shared/texts/texts';

export type Position = 'bottom-right' | 'bottom-left' | 'inline';

/** What the attributes of the script element set. */
export interface WidgetOptions {
  /** The origin of the service: that of the script. */
  origin: string;
  token: string;
  /** Empty for the text of the language. */
  label: string;
  position: Position;
  language: Language;
}

const POSITIONS: readonly string[] = ['bottom-right', 'bottom-left', 'inline'] satisfies Position[];
const TOKEN = /^[\w-]{1,128}$/;

/**
 * @param languages of the page and of the browser, in this order
 * @throws if there is no link
 */
export function readOptions(
  { src, dataset }: { src: string; dataset: Readonly<Record<string, string | undefined>> },
  languages: readonly string[],
): WidgetOptions {
  const { link = '', label = '', position = '', language } = dataset;
  // The token, or the whole address that leads to the page.
  const pasted = /[^/]*$/.exec(link.split(/[?#]/, 1)[0] ?? '')?.[0] ?? '';
  const token = pasted.replace(/[^\w-]+$/, '');
  if (!TOKEN.test(token)) throw new Error('widget.js: data-link must be the token of a link');
  return {
    origin: new URL(src).origin,
    token,
    label: label.trim().slice(0, 60),
    position: POSITIONS.includes(position) ? (position as Position) : 'bottom-right',
    language: chooseLanguage(language === undefined ? languages : [language, ...languages]),
  };
}
