const row = (cells) => `| ${cells.join(' | ')} |\n`;

/** @returns a table in Markdown of the packages with their licenses, and of what they are a part of */
export function licenseTable(production, bundled) {
  const parts = new Map();
  for (const [part, packages] of Object.entries({ service: production, pages: bundled })) {
    for (const { name, version, license = 'none' } of packages) {
      const key = `${name}@${version}`;
      const entry = parts.get(key) ?? { name, version, license, parts: new Set() };
      parts.set(key, entry);
      entry.parts.add(part);
    }
  }
  const rows = [...parts.values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, version, license, parts }) => row([name, version, license, [...parts].join(', ')]));
  return [row(['Package', 'Version', 'License', 'Part of']), row(['-', '-', '-', '-']), ...rows].join('');
}
