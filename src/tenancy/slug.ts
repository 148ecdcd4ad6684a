const MAX_LENGTH = 60;

/** "Suporte Técnico" → "suporte-tecnico". Returns `fallback` for a name without any ASCII letter or digit. */
export function slugify(name: string, fallback: string): string {
  return toSlug(name).slice(0, MAX_LENGTH).replace(/-$/, '') || fallback;
}

/** As `slugify`, but of any length, and empty for a text without any ASCII letter or digit. */
export function toSlug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** `slug`, or else the first of `slug-2`, `slug-3` … that is not in `taken`. */
export function uniqueSlug(slug: string, taken: Iterable<string>): string {
  const used = new Set(taken);
  let candidate = slug;
  for (let number = 2; used.has(candidate); number++) candidate = `${slug}-${number}`;
  return candidate;
}
