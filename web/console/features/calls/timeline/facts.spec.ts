import { type EntryFacts, factsOf } from './facts';
import type { TimelineEntry } from './timeline.types';

const names = {
  user: (id: string) => ({ ana: 'Ana', ben: 'Ben' })[id],
  department: (id: string) => ({ sales: 'Sales' })[id],
};

const factsWith = (fields: Partial<TimelineEntry>) =>
  factsOf(
    { at: '', type: '', user_id: null, user_name: null, ...fields },
    { names, language: 'en', dropped: [] },
  );

describe('factsOf', () => {
  it.each<[Partial<TimelineEntry>, Partial<EntryFacts>]>([
    [{ user_id: 'ana', user_name: 'Ana Souza' }, { agent: 'Ana Souza' }],
    [{ user_id: 'ana' }, { agent: 'Ana' }],
    [{ user_id: 'gone' }, { agent: null }],
    [
      { kind: 'forced', offered_by: 'ben' },
      { kind: 'forced', by: 'Ben' },
    ],
    [{ previous_user_id: 'ben' }, { by: 'Ben' }],
    [
      { to_user_id: 'ben', to_department_id: null },
      { to: 'Ben', department: null },
    ],
    [{ to_department_id: 'sales' }, { department: 'Sales' }],
    [{ department_id: 'secret' }, { department: null }],
    [{ end_reason: 'timeout' }, { reason: 'timeout' }],
    [{ attempts: 2 }, { count: 2 }],
    [{ candidates: [{}, {}] }, { candidates: 2 }],
    [
      { consent: false, recording: 'off' },
      { consent: false, recording: 'off' },
    ],
  ])('of %j are %j', (fields, expected) => {
    expect(factsWith(fields)).toMatchObject(expected);
  });
});
