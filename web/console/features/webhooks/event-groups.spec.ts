import { groupState, setGroup, type WebhookEvent } from './event-groups';

const LINKS = ['access_link.created', 'access_link.cancelled'] as const;

describe('a group of events', () => {
  it.each([
    [['call.queued'], true, ['call.queued', ...LINKS]],
    [['access_link.created', 'call.queued'], true, ['call.queued', ...LINKS]],
    [['call.queued', ...LINKS], false, ['call.queued']],
    [['call.queued'], false, ['call.queued']],
  ] as [WebhookEvent[], boolean, WebhookEvent[]][])('%j with the links %s are %j', (chosen, isOn, events) => {
    expect(setGroup(chosen, 'links', isOn)).toEqual(events);
  });

  it.each([
    [[], 'none'],
    [['call.queued'], 'none'],
    [['access_link.created'], 'some'],
    [[...LINKS], 'all'],
  ] as [WebhookEvent[], string][])('%j: %s', (chosen, state) => {
    expect(groupState(chosen, 'links')).toBe(state);
  });
});
