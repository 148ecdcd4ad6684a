import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAN_NAMES } from '../../src/plans/plan-catalogue';
import { OFFER_KINDS } from '../../src/routing/offers/offer.entity';
import { DISABLE_REASONS } from '../../src/webhooks/webhook.events';
import { entryDetail } from '../../web/console/features/audit/entry-sentence';
import en from '../../web/console/features/audit/texts/en';

const SOURCES = join(__dirname, '../../src');

/** The sources of the classes of events. */
const EVENT_CLASSES = globSync('**/*.events.ts', { cwd: SOURCES }).flatMap((file) =>
  readFileSync(join(SOURCES, file), 'utf8')
    .split(/^(?:export )?(?:abstract )?class /m)
    .slice(1),
);

describe('the audit log in the console', () => {
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
