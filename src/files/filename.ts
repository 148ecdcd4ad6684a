const LONGEST = 255;
/** With its dot; what is longer is no extension. */
const LONGEST_EXTENSION = 32;

/** What changes how a name is shown, or has no form at all. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * The name of an uploaded file as it is kept: of a path the last segment, without control characters and those
 * that turn the direction of writing, 255 characters at most with the extension whole; `file` when nothing is left.
 */
export function keptFilename(name: string): string {
  const segment = name.split(/[/\\]/).at(-1) ?? '';
  const visible = segment.replace(INVISIBLE, '').trim();
  // `.` and `..` are places, not names.
  return /^\.*$/.test(visible) ? 'file' : shortened(visible);
}

function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= LONGEST) return name;
  const dot = characters.lastIndexOf('.');
  const hasExtension = dot > 0 && characters.length - dot <= LONGEST_EXTENSION;
  const extension = hasExtension ? characters.slice(dot) : [];
  return [...characters.slice(0, LONGEST - extension.length), ...extension].join('');
}
