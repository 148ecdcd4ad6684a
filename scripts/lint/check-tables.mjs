// Checks what imports do not show: that a context writes only its own tables, and that the platform names none of a
// context. It reads the SQL in src and the writes through TypeORM repositories; names that SQL gets by interpolation
// are not seen. Run by `npm run lint`.
import { globSync, readFileSync } from 'node:fs';
import { OTHER_WRITERS, TABLE_OWNERS } from './table-owners.mjs';

const WRITE = /\b(?:INSERT INTO|UPDATE(?: ONLY)?|DELETE FROM(?: ONLY)?|MERGE INTO|TRUNCATE)\s+([a-z_]+)\b/g;
const MENTION = /\b(?:FROM|JOIN|INTO|UPDATE|ONLY|TABLE|TRUNCATE|ON|REFERENCES)\s+([a-z_]+)\b/g;
const METHOD = String.raw`\.(?:save|insert|update|upsert|delete|remove|increment|decrement)\(`;

const ownerOf = new Map(
  Object.entries(TABLE_OWNERS).flatMap(([context, tables]) => tables.map((table) => [table, context])),
);
const files = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.spec.ts'))
  .map((file) => ({ file, context: file.split('/')[1], text: withoutComments(readFileSync(file, 'utf8')) }));
const tableOfEntity = new Map(
  files.flatMap(({ text }) =>
    [...text.matchAll(/@Entity\('(\w+)'\)\s*export class (\w+)/g)].map(([, table, entity]) => [
      entity,
      table,
    ]),
  ),
);

const problems = [];
const usedExceptions = new Set();

for (const { file, context, text } of files) {
  for (const table of new Set([...tablesWrittenBySql(text), ...tablesWrittenByRepository(text)])) {
    const owner = ownerOf.get(table);
    if (owner === undefined) problems.push(`${file} writes ${table}, which has no owner in table-owners.mjs`);
    else if (owner !== context && !isException(context, table))
      problems.push(`${file} writes ${table}, which belongs to ${owner}`);
  }
  if (context !== 'platform') continue;
  for (const [, table] of text.matchAll(MENTION)) {
    const owner = ownerOf.get(table) ?? 'platform';
    if (owner !== 'platform') problems.push(`${file} names ${table}, which belongs to ${owner}`);
  }
}
for (const { context, tables } of OTHER_WRITERS) {
  for (const table of tables) {
    if (!usedExceptions.has(`${context} ${table}`))
      problems.push(`table-owners.mjs lets ${context} write ${table}, which it does not`);
  }
}
const migrations = globSync('migrations/*.ts').map((file) => readFileSync(file, 'utf8'));
for (const [, table] of migrations.join('\n').matchAll(/CREATE TABLE (\w+)/g)) {
  if (!ownerOf.has(table)) problems.push(`${table} has no owner in table-owners.mjs`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

function withoutComments(text) {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

function tablesWrittenBySql(text) {
  return [...text.matchAll(WRITE)].map(([, table]) => table);
}

/** By `repository(Entity).update(…)`, also where the repository is a constant of the same file. */
function tablesWrittenByRepository(text) {
  return [...text.matchAll(/(?:const (\w+) = )?[\w.]+\s*\.repository\((\w+)\)/g)]
    .filter(([call, variable]) => {
      const receiver = variable ? String.raw`\b${variable}` : call.replaceAll(/[.()]/g, String.raw`\$&`);
      return new RegExp(String.raw`${receiver}\s*${METHOD}`).test(text);
    })
    .map(([, , entity]) => tableOfEntity.get(entity) ?? entity);
}

function isException(context, table) {
  const isListed = OTHER_WRITERS.some((each) => each.context === context && each.tables.includes(table));
  if (isListed) usedExceptions.add(`${context} ${table}`);
  return isListed;
}
