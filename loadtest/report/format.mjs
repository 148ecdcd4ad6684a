// Numbers as people read them.

export const formatCount = (value) => value.toLocaleString('en');
export const formatPercent = (share) => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);

/** @param ms or null */
export function formatMs(ms) {
  if (ms === null) return '–';
  if (ms >= 9995) return `${formatCount(Math.round(ms / 1000))} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** What each step is, from its beginning to its end. */
export const STEP_MEANINGS = {
  login: 'login of an agent',
  join: 'POST …/join',
  connect: 'from the join to the first snapshot of the socket',
  device: 'device_report, until it is acknowledged',
  offer: 'from the moment at which the call waited and the agent was available to the offer',
  accept: 'accept_offer, until it is acknowledged',
  started: 'from accept_offer until the customer learns of the start',
  join_call: 'join_call, until it is acknowledged',
  signal: 'from sending a signal until the other side has it',
  chat: 'from sending a message until the other side has it',
  quality: 'quality_report, until it is acknowledged',
  complete: 'POST …/complete',
  ended: 'from completing until the customer learns of the end',
  rate: 'POST …/evaluate',
  snapshot: 'a requested snapshot',
};
