import type { LinkValidation } from './server.types';
import { called, call, entry, inCall, moment, NOW, problem, snapshot, waiting } from './state.fixtures';
import type { PageEvent, State } from './state.types';
import { callOf } from './call-facts';
import { reduce } from './reduce';

const RESUMING: State = { screen: 'resuming', retry: null };
const FORM: State = { screen: 'form', problem: null, hadPlace: false };
const link = (changes: Partial<LinkValidation> = {}) =>
  ({
    department_name: 'Support',
    open: true,
    opens_at: null,
    callback_enabled: true,
    ...changes,
  }) as LinkValidation;

const answer = (version: number): PageEvent => ({
  type: 'entered',
  entry: entry(),
  link: null,
  email: 'a@b.c',
  version,
});

describe('the screen after an answer or a snapshot', () => {
  it.each<
    [name: string, before: State, status: ReturnType<typeof snapshot>['status'], screen: State['screen']]
  >([
    ['a join', { screen: 'joining', retry: null }, 'queued', 'waiting'],
    ['a reload in the line', RESUMING, 'queued', 'waiting'],
    ['a reload while an agent is coming', RESUMING, 'assigned', 'called'],
    ['a reload in the call', RESUMING, 'active', 'in_call'],
    ['a reload before the rating', RESUMING, 'completed', 'rating'],
    ['a call that nobody answered', RESUMING, 'missed', 'over'],
    ['a call that was cancelled', RESUMING, 'cancelled', 'over'],
    ['a call that was abandoned', RESUMING, 'abandoned', 'over'],
  ])('%s', (_name, before, status, screen) => {
    const entered = reduce(before, { type: 'entered', entry: entry({ status }), link: null }, moment());
    expect(entered.screen).toBe(screen);
    expect(reduce(before, { type: 'snapshot', snapshot: snapshot({ status }) }, moment()).screen).toBe(
      screen,
    );
  });

  describe('an answer that the socket has overtaken', () => {
    it.each<[name: string, now: State]>([
      ['an agent is coming', called({ version: 4 })],
      [
        'the customer was invited',
        waiting({ version: 4, callback: { status: 'invited', invited_until: null } }),
      ],
    ])('changes nothing but the address: %s', (_name, now) => {
      const state = reduce(now, answer(3), moment());
      expect(state).toEqual({ ...now, call: { ...callOf(now), email: 'a@b.c' } });
    });

    it('does not bring back a call that has ended', () => {
      const over: State = { screen: 'over', why: 'left' };
      expect(reduce(over, answer(3), moment())).toEqual(over);
    });

    it('counts while nothing has happened since', () => {
      expect(reduce(called({ version: 3 }), answer(3), moment()).screen).toBe('waiting');
    });
  });

  it.each(['requested', 'invited'] as const)('a callback that is %s', (status) => {
    const callback = { status, invited_until: null };
    const state = reduce(RESUMING, { type: 'snapshot', snapshot: snapshot({ callback }) }, moment());
    expect(state.screen).toBe('callback');
  });

  it.each(['returned', 'cancelled'] as const)('a callback that is %s: the customer waits', (status) => {
    const callback = { status, invited_until: null };
    const state = reduce(RESUMING, { type: 'snapshot', snapshot: snapshot({ callback }) }, moment());
    expect(state.screen).toBe('waiting');
  });

  it('knows the department by the link until the first snapshot', () => {
    const joined = reduce(FORM, { type: 'entered', entry: entry(), link: link() }, moment());
    expect(joined).toMatchObject({ call: { department: 'Support', callbackEnabled: true, version: 0 } });
  });

  it('takes department and callback from the snapshot, because a transfer changes them', () => {
    const changed = snapshot({ department_name: 'Sales', callback_enabled: false });
    const state = reduce(waiting(), { type: 'snapshot', snapshot: changed }, moment());
    expect(state).toMatchObject({ call: { department: 'Sales', callbackEnabled: false } });
  });

  it.each<[name: string, before: State, since: string]>([
    ['the agent did not come', called(), 'unanswered'],
    ['the call was transferred', inCall(), 'transfer'],
    ['the place only changed', { ...waiting(), since: 'transfer' }, 'transfer'],
  ])('says why the customer waits: %s', (_name, before, since) => {
    expect(reduce(before, { type: 'snapshot', snapshot: snapshot() }, moment())).toMatchObject({ since });
  });
});

describe('why a call is over', () => {
  const abandoned = { type: 'snapshot', snapshot: snapshot({ status: 'abandoned' }) } as const;

  it.each<[why: string, before: State, changes: Partial<ReturnType<typeof moment>>]>([
    ['unanswered', waiting(), {}],
    ['absent', waiting(), { offlineMs: 300_000 }],
    ['absent', waiting(), { offlineMs: 296_000 }],
    ['unanswered', waiting(), { offlineMs: 200_000 }],
    ['closed', waiting({ closesAt: new Date(NOW).toISOString() }), {}],
    ['unanswered', waiting({ closesAt: new Date(NOW + 60_000).toISOString() }), {}],
    ['unknown', RESUMING, {}],
    ['left', { screen: 'over', why: 'left' }, {}],
  ])('%s', (why, before, changes) => {
    expect(reduce(before, abandoned, moment(changes))).toEqual({ screen: 'over', why });
  });

  it('callback_expired', () => {
    const callback = { status: 'expired', invited_until: null } as const;
    const event = { ...abandoned, snapshot: snapshot({ status: 'abandoned', callback }) };
    expect(reduce(waiting(), event, moment())).toEqual({ screen: 'over', why: 'callback_expired' });
  });

  it('a lost connection, which a reload learns from the snapshot', () => {
    const event = {
      type: 'snapshot',
      snapshot: snapshot({ status: 'completed', end_reason: 'disconnect' }),
    } as const;
    expect(reduce(RESUMING, event, moment())).toMatchObject({ screen: 'rating', wasLost: true });
  });
});

describe('refusals', () => {
  it.each<[code: string, expected: Partial<State>]>([
    ['queue_full', { screen: 'full' }],
    ['department_closed', { screen: 'closed', opensAt: '2026-03-03T12:00:00.000Z' }],
    ['link_used', { screen: 'problem' }],
    ['tenant_suspended', { screen: 'problem' }],
    ['validation_failed', { screen: 'form', hadPlace: false }],
    ['too_many_waiting', { screen: 'form' }],
    ['something_new', { screen: 'form' }],
  ])('a join: %s', (code, expected) => {
    const refused = problem(code, { opens_at: '2026-03-03T12:00:00.000Z' });
    const event: PageEvent = { type: 'join_refused', problem: refused };
    expect(reduce({ screen: 'joining', retry: null }, event, moment())).toMatchObject(expected);
  });

  it.each<[name: string, before: State, code: string, byLink: boolean, expected: Partial<State>]>([
    ['an old token', RESUMING, 'token_expired', false, { screen: 'form', hadPlace: true }],
    ['an old resume link', RESUMING, 'token_expired', true, { screen: 'over', why: 'return_link_invalid' }],
    ['another device', RESUMING, 'taken_over', false, { screen: 'other_device' }],
    ['too late in the line', waiting(), 'token_expired', false, { screen: 'over', why: 'gone' }],
    ['after the end', { screen: 'thanks', after: 'rated' }, 'token_expired', false, { screen: 'thanks' }],
  ])('a resume: %s', (_name, before, code, byLink, expected) => {
    const event: PageEvent = { type: 'resume_refused', problem: problem(code), byLink, start: FORM };
    expect(reduce(before, event, moment())).toMatchObject(expected);
  });

  it('a resume when the link cannot be used either: the reason of the link', () => {
    const start: State = { screen: 'problem', problem: problem('link_used') };
    const event: PageEvent = {
      type: 'resume_refused',
      problem: problem('token_expired'),
      byLink: false,
      start,
    };
    expect(reduce(RESUMING, event, moment())).toBe(start);
  });
});

describe('news of the link', () => {
  it.each<[name: string, before: State, changes: Partial<LinkValidation>, screen: State['screen']]>([
    ['opens', { screen: 'closed', opensAt: null }, {}, 'form'],
    ['closes', FORM, { open: false }, 'closed'],
    ['is free again', { screen: 'full' }, {}, 'form'],
    ['closes while somebody waits', waiting(), { open: false }, 'waiting'],
    [
      'closes before the rating',
      { screen: 'rating', call: call(), wasLost: false, problem: null },
      { open: false },
      'rating',
    ],
  ])('the department %s', (_name, before, changes, screen) => {
    expect(reduce(before, { type: 'link_checked', link: link(changes) }, moment()).screen).toBe(screen);
  });

  it('keeps what the form says', () => {
    const form: State = { screen: 'form', problem: problem('too_many_waiting'), hadPlace: true };
    expect(reduce(form, { type: 'link_checked', link: link() }, moment())).toBe(form);
  });
});

it('says until the first connection that another agent is coming, and not at later ones', () => {
  const connected = reduce(inCall({ isNewAgent: true }), { type: 'connected' }, moment());
  expect(connected).toMatchObject({ screen: 'in_call', isNewAgent: false });
  expect(reduce(connected, { type: 'connected' }, moment())).toBe(connected);
});

it('shows the next attempt only while a request is under way', () => {
  const retry = { problem: problem('network'), at: NOW + 2000 };
  expect(reduce(RESUMING, { type: 'retry', retry }, moment())).toEqual({ screen: 'resuming', retry });
  expect(reduce(FORM, { type: 'retry', retry }, moment())).toBe(FORM);
});
