// Writes the types of the API that the pages use (web/shared/api/schema.ts), if openapi.json is newer. They are as long as
// the whole of the pages, so they are not in the repository.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const repository = dirname(import.meta.dirname);
const source = join(repository, 'openapi.json');
const target = join(repository, 'web', 'shared', 'api', 'schema.ts');
const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (modifiedAt(target) < modifiedAt(source)) {
  // Loaded only now: it takes longer than everything else here.
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const types = astToString(await openapiTypes(JSON.parse(readFileSync(source, 'utf8'))));
  mkdirSync(dirname(target), { recursive: true });
  // Renamed, because several checks may write it at the same time while another one reads it.
  const partial = `${target}.${process.pid}`;
  writeFileSync(partial, types);
  renameSync(partial, target);
}
