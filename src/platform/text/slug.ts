const LONGEST = 60;

/** "Suporte Técnico" → "suporte-tecnico"; a name without a single letter or digit gives `fallback`. */
export function slugOf(name: string, fallback: string): string {
  const slug = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  return slug || fallback;
}

/** `slug`, or the first of `slug-2`, `slug-3` … that is not taken. */
export function freeSlug(slug: string, taken: Iterable<string>): string {
  const used = new Set(taken);
  let candidate = slug;
  for (let number = 2; used.has(candidate); number++) candidate = `${slug}-${number}`;
  return candidate;
}
