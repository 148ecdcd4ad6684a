import en from './texts/en';
import es from './texts/es';
import pt from './texts/pt';
import { factsOf } from './facts';

/** All types of docs/routing.md, without the two that are shown in another way. */
const TYPES = (
  'joined offered accepted declined expired withdrawn assigned overflowed requeued started peer_disconnected ' +
  'peer_reconnected transferred completed missed cancelled abandoned rated callback_requested callback_invited ' +
  'callback_returned callback_expired callback_cancelled recording_state'
).split(' ');

const none = {
  names: { user: () => undefined, department: () => undefined },
  language: 'en',
  dropped: [],
} as const;

describe.each(Object.entries({ en, es, pt }))('in %s', (_, texts) => {
  it.each(TYPES)('there is a sentence for %s, also if nothing else is known', (type) => {
    const facts = factsOf(
      { at: '2026-01-31T12:00:00Z', type, user_id: null, user_name: null },
      { ...none, dropped: [] },
    );
    const sentence = texts.sentences[type]?.(type === 'rated' ? { ...facts, rating: 4 } : facts) ?? '';
    expect(sentence).toMatch(/^\S.*\.$/);
    expect(sentence).not.toMatch(/null|undefined/);
  });
});

it.each([
  [
    ['customer' as const],
    'The call dropped: the customer had lost the connection and did not come back in time.',
  ],
  [[], 'The call dropped: a connection was lost and not restored in time.'],
])('says who dropped the call: %j', (dropped, sentence) => {
  const entry = { at: '', type: 'completed', user_id: null, user_name: null, end_reason: 'disconnect' };
  expect(en.sentences['completed']?.(factsOf(entry, { ...none, dropped }))).toBe(sentence);
});

it.each(Object.entries({ en, es, pt }))('in %s says how the customer rated', (_, texts) => {
  const sentences = [undefined, 'token', 'address'].map((rated_by) => {
    const entry = { at: '', type: 'rated', user_id: null, user_name: null, rating: 4, rated_by };
    return texts.sentences['rated']?.(factsOf(entry, { ...none, dropped: [] }));
  });
  expect(new Set(sentences).size).toBe(3);
});
