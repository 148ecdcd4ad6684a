/** Characters without a picture: zero-width spaces and joiners, soft hyphens, marks of direction, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Anything but those, blanks and control characters. U+2800 is a Braille pattern without dots. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\s\p{Cc}\u2800]/u;

/** The text without invisible characters, which are copied from pages and mails unnoticed. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** Whether a reader sees anything of the text. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);
