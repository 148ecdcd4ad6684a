import {
  CALL_STATUSES,
  type CallStatus,
  decide,
  type EndReason,
  FINAL_STATUSES,
  isFinal,
  type TransitionRequest,
  TRANSITIONS,
  type TransitionRule,
  type Trigger,
} from './call.machine';

const RULES: TransitionRule[] = Object.values(TRANSITIONS);

const ANA = 'ana';
/** Ana is the call's agent, Bob a colleague, Sue a supervisor. */
const ACTORS = {
  ana: { user_id: ANA, supervises: false },
  bob: { user_id: 'bob', supervises: false },
  sue: { user_id: 'sue', supervises: true },
};
type Who = keyof typeof ACTORS;

const to = (id: string, explicit = true): Partial<TransitionRequest> => ({
  assignee: { id, name: id, explicit },
});

const callThat = (status: CallStatus) => ({ status, user_id: status === 'queued' ? null : ANA });

/** What each of Ana, Bob and Sue gets, by status: m(ove), r(epeat), - (refused). Unlisted: all refused. */
type Verdicts = Partial<Record<CallStatus, string>>;

const STAFF: {
  name: string;
  trigger: Trigger;
  more: (who: Who) => Partial<TransitionRequest>;
  by: Verdicts;
}[] = [
  {
    name: 'takes it',
    trigger: 'assign',
    more: (who) => to(who, false),
    by: { queued: 'mmm', assigned: 'r--' },
  },
  {
    name: 'names themselves',
    trigger: 'assign',
    more: (who) => to(who),
    by: { queued: 'mmm', assigned: 'r-m' },
  },
  { name: 'gives it to Ana', trigger: 'assign', more: () => to(ANA), by: { queued: 'mmm', assigned: 'r-r' } },
  {
    name: 'gives it to Bob',
    trigger: 'assign',
    more: () => to('bob'),
    by: { queued: 'mmm', assigned: 'm-m' },
  },
  { name: 'starts it', trigger: 'start', more: () => ({}), by: { assigned: 'm-m', active: 'r--' } },
  { name: 'completes it', trigger: 'complete', more: () => ({}), by: { assigned: 'm-m', active: 'm-m' } },
];

const KINDS: Record<string, string> = { m: 'transition', r: 'repeat', '-': 'refuse' };

/** Moves that no member of staff asks for: from where, to where, why. */
const OTHERS: [Trigger, CallStatus[], CallStatus, EndReason][] = [
  ['hang_up', ['active'], 'completed', 'normal'],
  ['cancel', ['queued', 'assigned'], 'cancelled', 'abandoned'],
  ['department_deleted', ['queued'], 'cancelled', 'abandoned'],
  ['ring_timeout', ['assigned'], 'missed', 'timeout'],
  ['wait_timeout', ['queued'], 'abandoned', 'abandoned'],
  ['absence_timeout', ['queued'], 'abandoned', 'abandoned'],
  ['grace_timeout', ['active'], 'completed', 'disconnect'],
];

describe('the call machine', () => {
  const staffCases = STAFF.flatMap(({ name, trigger, more, by }) =>
    CALL_STATUSES.flatMap((status) =>
      (Object.keys(ACTORS) as Who[]).map((who, index) => ({
        what: `${who} ${name} while ${status}`,
        status,
        move: { trigger, actor: ACTORS[who], ...more(who) } as TransitionRequest,
        kind: KINDS[(by[status] ?? '---')[index] ?? ''],
      })),
    ),
  );

  it.each(staffCases)('$what: $kind', ({ status, move, kind }) => {
    const decision = decide(callThat(status), move);
    expect(decision.kind).toBe(kind);
    if (decision.kind !== 'transition') return;
    const ends = move.trigger === 'complete';
    expect(decision.to).toBe(
      { assign: 'assigned', start: 'active', complete: 'completed' }[move.trigger as 'start'],
    );
    expect(decision.end_reason).toBe(ends ? 'normal' : null);
  });

  const otherCases = OTHERS.flatMap(([trigger, from, target, end_reason]) =>
    CALL_STATUSES.map((status) => ({ trigger, status, target, end_reason, moves: from.includes(status) })),
  );

  it.each(otherCases)('$trigger while $status', ({ trigger, status, target, end_reason, moves }) => {
    const decision = decide(callThat(status), { trigger });
    if (moves) expect(decision).toEqual({ kind: 'transition', to: target, end_reason });
    else expect(decision).toEqual({ kind: 'refuse', detail: expect.stringContaining(status) });
  });

  it('knows no trigger besides those', () => {
    const seen = new Set<string>([...STAFF.map((row) => row.trigger), ...OTHERS.map(([trigger]) => trigger)]);
    expect(new Set(Object.keys(TRANSITIONS))).toEqual(seen);
  });

  it('reaches every status from queued', () => {
    const reached = new Set<CallStatus>(['queued']);
    for (const status of reached) {
      for (const rule of RULES) if (rule.from.includes(status)) reached.add(rule.to);
    }
    expect([...reached].sort()).toEqual([...CALL_STATUSES].sort());
  });

  it.each(FINAL_STATUSES)('has no way out of %s', (status) => {
    expect(RULES.some((rule) => rule.from.includes(status))).toBe(false);
  });

  it('gives a reason exactly for the moves that end a call', () => {
    for (const rule of RULES) {
      expect(rule.end_reason !== undefined).toBe(isFinal(rule.to));
    }
    expect(CALL_STATUSES.filter(isFinal)).toEqual(['completed', 'missed', 'cancelled', 'abandoned']);
  });

  it('leaves the call that it looks at alone', () => {
    const call = Object.freeze(callThat('queued'));
    decide(call, { trigger: 'assign', actor: ACTORS.ana, ...to(ANA, false) });
    expect(call).toEqual({ status: 'queued', user_id: null });
  });
});
