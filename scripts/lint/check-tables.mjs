// Checks what imports do not show: that a context writes only its own tables, and reads none of a context above it or
// beside it. It reads the SQL in src, and the writes through TypeORM repositories and transactions; names that SQL gets
// by interpolation are not seen. Run by `npm run lint`.
import { globSync, readFileSync } from 'node:fs';
import layers from './layers.cjs';
import { OTHER_READERS, OTHER_WRITERS, TABLE_OWNERS } from './table-owners.mjs';

const WRITE = /\b(?:INSERT INTO|UPDATE(?: ONLY)?|DELETE FROM(?: ONLY)?|MERGE INTO|TRUNCATE)\s+([a-z_]+)\b/g;
/** In SQL, and in the `from` of a list. */
const MENTION =
  /(?:\b(?:FROM|JOIN|USING|INTO|UPDATE|ONLY|TABLE|TRUNCATE|ON|REFERENCES)\s+|\b(?:from|FROM|countFrom)(?::| =)\s*['`])([a-z_]+)\b/g;
const METHOD = String.raw`\.(?:save|insert|update|upsert|delete|remove|increment|decrement)\(`;
/** The methods of a Transaction that take the entity first: `tx.insert(Entity, …)`. */
const WRITE_OF_ENTITY = /\.(?:insert|update)\(\s*(\w+),/g;

const layerOf = new Map(
  layers.CONTEXTS.flatMap((contexts, layer) => contexts.map((context) => [context, layer])),
);
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
const usedExceptions = new Map([OTHER_WRITERS, OTHER_READERS].map((exceptions) => [exceptions, new Set()]));

for (const { file, context, text } of files) {
  const written = [
    ...namesIn(text, WRITE),
    ...tablesWrittenByRepository(text),
    ...tablesWrittenByTransaction(text),
  ];
  for (const table of new Set(written)) {
    const owner = ownerOf.get(table);
    if (owner === undefined) problems.push(`${file} writes ${table}, which has no owner in table-owners.mjs`);
    else if (owner !== context && !isException(OTHER_WRITERS, context, table))
      problems.push(`${file} writes ${table}, which belongs to ${owner}`);
  }
  for (const table of new Set(namesIn(text, MENTION))) {
    const owner = ownerOf.get(table) ?? context;
    if (!mayRead(context, owner) && !isException(OTHER_READERS, context, table))
      problems.push(`${file} reads ${table}, which belongs to ${owner}`);
  }
}
for (const [exceptions, used] of usedExceptions) {
  for (const { context, tables } of exceptions) {
    for (const table of tables.filter((table) => !used.has(`${context} ${table}`)))
      problems.push(`table-owners.mjs has an exception for ${context} and ${table}, which is not used`);
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

function namesIn(text, pattern) {
  return [...text.matchAll(pattern)].map(([, name]) => name);
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

/** By `tx.insert(Entity, …)`. Other methods of these names do not take an entity. */
function tablesWrittenByTransaction(text) {
  return namesIn(text, WRITE_OF_ENTITY)
    .filter((entity) => tableOfEntity.has(entity))
    .map((entity) => tableOfEntity.get(entity));
}

/** Folders without a layer, such as bootstrap, are above all contexts. */
function mayRead(context, owner) {
  return context === owner || layerOf.get(owner) < (layerOf.get(context) ?? Infinity);
}

function isException(exceptions, context, table) {
  const isListed = exceptions.some((each) => each.context === context && each.tables.includes(table));
  if (isListed) usedExceptions.get(exceptions).add(`${context} ${table}`);
  return isListed;
}
