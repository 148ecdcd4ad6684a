import { onPeerReady, onRenegotiate, type NegotiationFacts } from './negotiation.rules';

const CONNECTED: NegotiationFacts = {
  hasConnection: true,
  isSamePage: true,
  isOfferPending: false,
  offerAgeMs: 60_000,
  wasDelivered: true,
  isAlive: true,
};

describe('onPeerReady', () => {
  it.each([
    ['create', 'no connection', { hasConnection: false, isAlive: false }],
    ['create', 'another load of the page', { isSamePage: false }],
    ['wait', 'media arrive', {}],
    ['restart', 'media do not arrive', { isAlive: false }],
    ['wait', 'the answer has just come', { isAlive: false, offerAgeMs: 1000 }],
    [
      'resend',
      'the offer reached nobody',
      { isAlive: false, isOfferPending: true, wasDelivered: false, offerAgeMs: 10 },
    ],
    ['wait', 'the answer is under way', { isAlive: false, isOfferPending: true, offerAgeMs: 1000 }],
    ['restart', 'no answer has come', { isAlive: false, isOfferPending: true }],
  ] as const)('%s: %s', (action, _, facts) => {
    expect(onPeerReady({ ...CONNECTED, ...facts })).toBe(action);
  });
});

describe('onRenegotiate', () => {
  it.each([
    ['create', { hasConnection: false }],
    ['restart', {}],
    ['restart', { isOfferPending: true }],
    ['wait', { offerAgeMs: 1000 }],
    ['resend', { isOfferPending: true, offerAgeMs: 1000 }],
  ] as const)('%s: %j', (action, facts) => {
    expect(onRenegotiate({ ...CONNECTED, ...facts })).toBe(action);
  });
});
