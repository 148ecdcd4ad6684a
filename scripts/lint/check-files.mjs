// Checks how source files are named, that each folder has a layer and a limited size, and that all specs are run. Run by `npm run lint`.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import layers from './layers.cjs';

const MAX_FILES_IN_FOLDER = 24;

/** `<thing>.<role>.ts`; other files are `<noun>.ts` or, for one use case, `<verb>-<thing>.ts`. */
const ROLES = new Set(
  (
    'adapter catalogue columns command constraints controller decorator decorators dto effects entity events filter ' +
    'gateway guard headers interceptor machine middleware module payloads pipe response rules service storage ' +
    'strategy texts types worker'
  ).split(' '),
);
const FILE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.([a-z]+))?\.ts$/;
const EXPORTED_CLASS = /^export (?:abstract )?class (\w+)/gm;

/** Files of these roles, and others that declare fields of the API, have several small classes. */
const ROLES_OF_MANY_CLASSES = new Set(['dto', 'events', 'payloads']);
const DECLARES_FIELDS = /@ApiProperty/;

/** The folders with a layer. */
const LAYERED = new Set([
  ...layers.CONTEXTS.flat().map((name) => `src/${name}`),
  ...Object.entries(layers.INSIDE).flatMap(([parent, inside]) =>
    inside.flat().map((name) => `src/${parent}/${name}`),
  ),
]);
/** No context may import these, so they need no layer. */
const APPLICATION = /^src(\/bootstrap(\/|$)|$)/;

/** Their spec files are test files of their own. */
const SPECS_OF_OTHER_COMMANDS = new Set(['durability', 'operations']);

const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.spec.ts'));
/** The test file of a folder. */
const ENTRY = "import { requireSpecs } from '../support/jest/require-specs';\n\nrequireSpecs(__dirname);\n";

const problems = [];

for (const file of files) {
  const name = basename(file);
  const match = FILE_NAME.exec(name);
  if (!match) problems.push(`${file}: a file name is in kebab-case`);
  else if (match[1] && !ROLES.has(match[1])) problems.push(`${file}: ${match[1]} is not a known role`);
  for (const className of classesWithOwnFile(readFileSync(file, 'utf8'), match?.[1])) {
    if (!isNamedAfter(name, className))
      problems.push(`${file}: the file must have the name of its class, ${className}`);
  }
}
const pages = globSync('web/**/*.{ts,tsx}').filter((file) => !/\.spec\.tsx?$/.test(file));
for (const [folder, content] of Object.entries(Object.groupBy([...files, ...pages], dirname))) {
  if (content.length > MAX_FILES_IN_FOLDER)
    problems.push(
      `${folder} holds ${content.length} files; split it by subject above ${MAX_FILES_IN_FOLDER}`,
    );
}
for (const folder of new Set(files.map((file) => folderWithLayer(dirname(file))))) {
  if (folder !== undefined && !LAYERED.has(folder))
    problems.push(`${folder} has no layer in scripts/lint/layers.cjs`);
}

for (const file of globSync('test/**/*.e2e-spec.ts')) {
  const [, folder, rest] = file.split('/');
  if (/\b(?:it|describe|test)(?:\.\w+)*\.only\b/.test(readFileSync(file, 'utf8')))
    problems.push(`${file}: .only leaves out the other specs of the folder`);
  if (SPECS_OF_OTHER_COMMANDS.has(folder)) continue;
  const entry = `test/${folder}/${folder}.e2e.ts`;
  if (!rest || !existsSync(entry) || readFileSync(entry, 'utf8') !== ENTRY)
    problems.push(`${file} is not run by npm test, because ${entry} does not require it`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

/** The exported classes, except errors, which are beside the functions that throw them. */
function classesWithOwnFile(text, role) {
  if (ROLES_OF_MANY_CLASSES.has(role) || DECLARES_FIELDS.test(text)) return [];
  return [...text.matchAll(EXPORTED_CLASS)].map(([, name]) => name).filter((name) => !name.endsWith('Error'));
}

/** `users.service.ts` is the file of UsersService, `user.entity.ts` that of User. */
function isNamedAfter(fileName, className) {
  const name = fileName.replace(/(?:\.entity)?\.ts$/, '');
  return name.replaceAll(/[-.]/g, '') === className.toLowerCase();
}

/** @returns the part of the path that needs a layer; undefined for the application, which is above all layers */
function folderWithLayer(folder) {
  if (APPLICATION.test(folder)) return undefined;
  const [src, parent, child] = folder.split('/');
  return parent in layers.INSIDE && child !== undefined ? `${src}/${parent}/${child}` : `${src}/${parent}`;
}
