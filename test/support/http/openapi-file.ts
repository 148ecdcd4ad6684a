import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './api';

const FILE = join(__dirname, '..', '..', '..', 'openapi.json');

/** Reads the committed openapi.json. */
export const readDocument = (): Json => JSON.parse(readFileSync(FILE, 'utf8'));

/** Replaces openapi.json. */
export const writeDocument = (document: Json): void => writeFileSync(FILE, `${formatted(document, 3)}\n`);

/** Writes one line per operation, webhook and component, so that the file is small and its diffs are readable. */
function formatted(value: Json, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const lines = Object.entries(value).map(
    ([key, child]) => `${JSON.stringify(key)}: ${formatted(child, depth - 1)}`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}
