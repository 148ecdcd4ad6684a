// Checks openapi.json as its users do: Redocly's recommended rules find nothing in it, and the types that
// openapi-typescript generates from it, and code that uses them, compile under strict settings.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createConfig, formatProblems, getTotals, lintFromString } from '@redocly/openapi-core';
import openapiTypes, { astToString } from 'openapi-typescript';

const repository = dirname(import.meta.dirname);
const file = join(repository, 'openapi.json');
const tsc = join(repository, 'node_modules', 'typescript7', 'bin', 'tsc');

const RULES = {
  extends: ['recommended'],
  rules: {
    // /call/status/{call_id} and /call/{token}/validate: `status` is no valid token, and the router prefers it.
    'no-ambiguous-paths': 'off',
    // Health checks have neither input nor a rate limit, so no request is wrong.
    'operation-4xx-response': 'off',
  },
};

/** What a client relies on; compiled against the generated types. */
const CLIENT = `
import type { components, paths, webhooks } from './schema';

type Ok<Operation extends { responses: { 200: { content: { 'application/json': unknown } } } }> =
  Operation['responses'][200]['content']['application/json'];

export const isOver = ({ status }: components['schemas']['CallDetailsDto']): boolean =>
  (['completed', 'missed', 'cancelled', 'abandoned'] satisfies (typeof status)[] as string[]).includes(status);

export const names = ({ data, meta }: Ok<paths['/api/v1/calls']['get']>): string[] =>
  data.map(({ customer_name }, index) => \`\${index + 1}/\${meta.total_count}: \${customer_name}\`);

type NewTag = NonNullable<paths['/api/v1/tags']['post']['requestBody']>['content']['application/json'];
export const bodies: NewTag[] = [{ name: 'Billing' }, { tag: { name: 'Billing', color: null } }];

export const query: paths['/api/v1/calls']['get']['parameters']['query'] = { page: 2, sort_order: 'asc' };

export const rated = (payload: webhooks['call.rated']['post']['requestBody']['content']['application/json']): string =>
  payload.data.id;
`;

const source = readFileSync(file, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'openapi-client-'));
try {
  const problems = await lintFromString({ source, absoluteRef: file, config: await createConfig(RULES) });
  formatProblems(problems, { totals: getTotals(problems), format: 'stylish', cwd: repository });
  if (problems.length > 0) process.exitCode = 1;
  writeFileSync(join(folder, 'schema.ts'), astToString(await openapiTypes(JSON.parse(source))));
  writeFileSync(join(folder, 'client.ts'), CLIENT);
  const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  execFileSync(process.execPath, [tsc, ...options, 'client.ts'], { cwd: folder, stdio: 'inherit' });
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`lint:openapi failed: ${error.message}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
