import type { OpenAPIObject } from '@nestjs/swagger';
import { shareFields } from './shared-fields';

const FIELDS = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`f${index}`, { type: 'string' }]),
);
const record = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const documentOf = (schemas: Record<string, object>, answered: string[] = []) =>
  ({
    paths: { '/': { get: { responses: { 200: answered.map(refTo) } } } },
    webhooks: Object.fromEntries(Object.keys(schemas).map((name) => [name, refTo(name)])),
    components: { schemas },
  }) as unknown as OpenAPIObject;

const BASE = record(FIELDS);
const EXTENDED = record({ ...FIELDS, own: { type: 'integer' } });
const shared = { allOf: [refTo('Base'), record({ own: { type: 'integer' } })] };

describe('shareFields', () => {
  it.each<[string, Record<string, object>, string[], Record<string, object>]>([
    ['refers to a payload with fewer fields', { Extended: EXTENDED }, [], { Extended: shared }],
    [
      'refers to the first of several, which is no extension itself',
      { Extended: EXTENDED, More: record({ ...EXTENDED.properties, more: {} }) },
      [],
      { Extended: shared, More: { allOf: [refTo('Base'), record({ own: { type: 'integer' }, more: {} })] } },
    ],
    ['leaves what operations answer', { Extended: EXTENDED }, ['Extended'], { Extended: EXTENDED }],
    [
      'leaves a payload in which a field differs',
      { Other: record({ ...FIELDS, f0: { type: 'integer' }, own: {} }) },
      [],
      { Other: record({ ...FIELDS, f0: { type: 'integer' }, own: {} }) },
    ],
    [
      'leaves a payload that refers to no record',
      { Text: { type: 'string' } },
      [],
      { Text: { type: 'string' } },
    ],
  ])('%s', (_title, payloads, answered, expected) => {
    const { components } = shareFields(documentOf({ ...payloads, Base: BASE }, answered));
    expect(components?.schemas).toEqual({ ...expected, Base: BASE });
  });

  it('leaves small payloads', () => {
    const [small, larger] = [record({ id: {} }), record({ id: {}, name: {} })];
    const document = documentOf({ Small: small, Larger: larger });
    expect(shareFields(document).components?.schemas).toEqual({ Small: small, Larger: larger });
  });
});
