import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAN_NAMES } from '../../src/plans/plan-catalogue';
import { OFFER_KINDS } from '../../src/routing/offers/offer.entity';
import { DISABLE_REASONS } from '../../src/webhooks/webhook.events';
import openapi from '../../openapi.json';
import { ACTIONS } from '../../web/console/features/audit/audit-actions';
import { entryDetail, entrySentence } from '../../web/console/features/audit/entry-sentence';
import en from '../../web/console/features/audit/texts/en';

const SOURCES = join(__dirname, '../../src');

/** The sources of the classes of events. */
const EVENT_CLASSES = globSync('**/*.events.ts', { cwd: SOURCES }).flatMap((file) =>
  readFileSync(join(SOURCES, file), 'utf8')
    .split(/^(?:export )?(?:abstract )?class /m)
    .slice(1),
);

/** The actions of the log: the types of the events that it can contain. */
function auditedTypes(): string[] {
  return EVENT_CLASSES.filter((source) => !/get audited\(\) \{\n\s+return 'never'/.test(source)).flatMap(
    (source) => /readonly type = '(.+)'/.exec(source)?.[1] ?? [],
  );
}

/** Jobs cause them, not staff, so the log does not contain them. */
const CAUSED_BY_JOBS = ['transcript.ready', 'transcript.failed', 'summary.ready', 'summary.failed'];
/** `LineEvent` says for both that they are not audited. */
const NEVER_AUDITED = ['call.customer_returned', 'call.lane_changed'];

describe('the audit log in the console', () => {
  it('has a sentence for each action that can be in it, and offers it as a filter', () => {
    const types = auditedTypes().filter((type) => ![...CAUSED_BY_JOBS, ...NEVER_AUDITED].includes(type));
    expect(types.length).toBeGreaterThan(60);
    expect(types.filter((type) => entrySentence({ action: type, details: {} }, en) === type)).toEqual([]);
    const offered: string[] = Object.values(ACTIONS).flat();
    expect(types.filter((type) => !offered.includes(type))).toEqual([]);
  });

  it('names each field that staff can change', () => {
    const fields = Object.entries(openapi.components.schemas).flatMap(([name, schema]) =>
      /^(Update|Create)\w+Dto$/.test(name) && 'properties' in schema ? Object.keys(schema.properties) : [],
    );
    expect(fields.length).toBeGreaterThan(60);
    expect(fields.filter((field) => !(field in en.fields))).toEqual([]);
  });

  it('names each detail, and has a word for each kind and reason', () => {
    const details = EVENT_CLASSES.flatMap(
      (source) => /get details\(\) \{\n\s+return \{(.+)\}/.exec(source)?.[1] ?? [],
    )
      .flatMap((text) => [...text.matchAll(/(\w+):/g)])
      .map(([, name = '']) => name);
    expect(details.length).toBeGreaterThan(15);
    expect(
      details.filter((name) => entryDetail([name, 1], en, { yes: '', no: '', none: '' })[0] === name),
    ).toEqual([]);
    const words = [...OFFER_KINDS, ...DISABLE_REASONS, ...PLAN_NAMES];
    expect(words.filter((word) => !(word in en.words))).toEqual([]);
  });
});
