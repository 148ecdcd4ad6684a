import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LINK_STATUSES } from '../../src/access-links/access-link.dto';
import type { CallFields, UpdateCall } from '../../src/calls/machine/update-call';
import { CALL_STATUSES } from '../../src/calls/machine/call.machine';
import { DomainEvent } from '../../src/platform/events/domain-event';
import { WEBHOOK_EVENTS } from '../../src/webhooks/payloads/webhook-event-types';
import { ACTIONS } from '../../web/console/features/audit/audit-actions';
import audit from '../../web/console/features/audit/texts/en';
import auditFields from '../../web/console/features/audit/texts/fields-en';
import * as exported from '../../web/console/features/exports/export-kinds';
import { ALL_EVENTS } from '../../web/console/features/webhooks/event-groups';

const ROOT = join(__dirname, '../..');

interface Schema {
  properties: Record<string, object>;
}

interface OpenApi {
  paths: Record<string, { get?: { parameters: ({ $ref: string } | { name: string })[] } }>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, { name: string }> };
}

const openApi = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();

/** The types of one class of events: those that its source names, or those of calls that reached a final state. */
function typesOf(source: string): string[] {
  const ended = source.includes('`call.${') ? ['completed', 'missed', 'cancelled', 'abandoned'] : [];
  return [
    ...[...source.matchAll(/type = (.*)/g)].flatMap(
      ([, types = '']) => types.match(/\b[a-z_]+\.[a-z_]+\b/g) ?? [],
    ),
    ...ended.map((status) => `call.${status}`),
  ];
}

/** Events of jobs. The log has them for staff alone, who only cause their repetition. */
const OF_JOBS = new Set(['transcript.ready', 'transcript.failed', 'summary.ready', 'summary.failed']);

/** How an offer ended decides whether the log records it. */
const canBeAudited = (prototype: DomainEvent): boolean =>
  Object.assign(Object.create(prototype) as DomainEvent, { status: 'accepted' }).audited !== 'never';

/** The types of all events that the audit log records. */
function auditedTypes(): string[] {
  const files = globSync('src/**/*.events.ts', { cwd: ROOT });
  const classes = files.flatMap((file) => Object.values(require(join(ROOT, file)) as object));
  return classes
    .filter((value) => typeof value === 'function' && value.prototype instanceof DomainEvent)
    .filter(({ prototype }) => canBeAudited(prototype as DomainEvent))
    .flatMap((event) => typesOf(String(event)))
    .filter((type) => !OF_JOBS.has(type));
}

/** The parameters of an export. */
function parametersOf(kind: exported.ExportKind): string[] {
  const { parameters = [] } = openApi.paths[`/api/v1/export/${kind}.csv`]?.get ?? {};
  return parameters.flatMap((parameter) => {
    if ('name' in parameter) return parameter.name;
    return openApi.components.parameters[parameter.$ref.split('/').at(-1) ?? '']?.name ?? [];
  });
}

// The console is built without the code of the service, so that it repeats some of its lists.
describe('the console offers', () => {
  it('all events of webhooks', () => {
    expect(sorted(ALL_EVENTS)).toEqual(sorted(WEBHOOK_EVENTS));
  });

  it('all actions of the audit log as filters', () => {
    expect(sorted(Object.values(ACTIONS).flat())).toEqual(sorted(auditedTypes()));
  });

  it('all statuses of calls and links as filters of their exports', () => {
    expect(exported.CALL_STATUSES).toEqual(CALL_STATUSES);
    expect(sorted(exported.LINK_STATUSES)).toEqual(sorted(LINK_STATUSES));
  });

  it.each(exported.KINDS)('only filters that the export of %s has', (kind) => {
    expect(parametersOf(kind)).toEqual(expect.arrayContaining([...exported.FILTERS[kind]]));
  });
});

it('the console names all exports', () => {
  const paths = Object.keys(openApi.paths).flatMap((path) => /\/export\/(\w+)\.csv$/.exec(path)?.[1] ?? []);
  expect(sorted(exported.KINDS)).toEqual(sorted(paths));
});

/** Columns that only the service's own jobs change: the log records changes by staff. */
type ChangedByJobs = 'priority_since' | 'priority_deadline' | 'overflow_department_id' | 'overflowed_at';

/** What staff can change on a call. The type makes the list complete. */
const CALL_FIELDS: Record<
  Exclude<keyof CallFields, ChangedByJobs> | Parameters<UpdateCall['recordChange']>[2],
  true
> = {
  has_recording: true,
  notes: true,
  manager_notes: true,
  priority: true,
  rank_at: true,
  required_skills: true,
  tags: true,
  files: true,
  recordings: true,
};

/** The fields that events name literally, instead of comparing a record with an update: `new UserUpdated(…, ['avatar_url'])`. */
function literalFields(): string[] {
  const sources = globSync('src/**/!(*.spec).ts', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const lists = sources.flatMap((source) => [
    ...source.matchAll(/new \w+Updated\([^;]*\[([^\]]*)\]\)|ERASED_COLUMNS = \[([^\]]*)\]/g),
  ]);
  return lists.flatMap(([list]) => [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name));
}

it('the console has words for all fields that the audit log can name as changed', () => {
  const updates = Object.entries(openApi.components.schemas).filter(([name]) => /^Update\w+Dto$/.test(name));
  const fields = updates.flatMap(([, { properties }]) => Object.keys(properties));
  // They confirm an appointment, and who changes the own password: neither is stored.
  const stored = fields.filter((field) => !['confirm', 'current_password'].includes(field));
  const literal = literalFields();
  expect(literal).toEqual(expect.arrayContaining(['avatar_url', 'customer_name', 'rating_comment']));
  const named = [...stored, ...Object.keys(CALL_FIELDS), ...literal];
  expect(named.filter((field) => !(field in auditFields))).toEqual([]);
});

it.each(exported.KINDS)('the console has words for all filters of the export of %s', (kind) => {
  const others = ['sort_by', 'sort_order', 'separator', 'bom', 'X-Tenant'];
  const filters = parametersOf(kind).filter((name) => !others.includes(name));
  expect(filters.filter((name) => !(name in audit.filters))).toEqual([]);
});
