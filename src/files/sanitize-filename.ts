const MAX_LENGTH = 255;
/** With its dot; a longer suffix is not treated as an extension. */
const MAX_EXTENSION_LENGTH = 32;

/** Control characters, lone surrogates, line separators, and marks that change the writing direction. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * The name under which an uploaded file is stored: the last segment of a path, without invisible characters, cut to
 * 255 characters before its extension; `file` if nothing is left.
 */
export function sanitizeFilename(name: string): string {
  const segment = name.split(/[/\\]/).at(-1) ?? '';
  const visible = segment.replace(INVISIBLE, '').trim();
  // `.` and `..` are directories.
  return /^\.*$/.test(visible) ? 'file' : shorten(visible);
}

function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_LENGTH) return name;
  const dot = characters.lastIndexOf('.');
  const hasExtension = dot > 0 && characters.length - dot <= MAX_EXTENSION_LENGTH;
  const extension = hasExtension ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_LENGTH - extension.length), ...extension].join('');
}
