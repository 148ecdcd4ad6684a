import { plural } from '../../../../../shared/texts/plural';
import type { EntryFacts } from '../facts';

const somebody = (name: string | null) => name ?? 'An agent';
const anAgent = (name: string | null) => name ?? 'an agent';
const department = (name: string | null) => (name ? `the line of ${name}` : 'the line of a department');
const side = (participant: EntryFacts['participant']) =>
  participant === 'agent' ? 'the agent' : 'the customer';
const Side = (participant: EntryFacts['participant']) =>
  participant === 'agent' ? 'The agent' : 'The customer';

const RATED: Record<string, string> = {
  token: ', from their page',
  address: ', from the network that they joined from',
};
const rated = (by: string | null) => RATED[by ?? ''] ?? '';

const WITHDRAWN: Record<string, string> = {
  agent_busy: 'the agent got another call',
  agent_offline: 'the agent lost the connection',
  agent_paused: 'the agent paused',
  agent_inactive: 'the agent was deactivated',
  not_a_member: 'the agent left the department',
  call_taken: 'somebody else took the call',
  call_ended: 'the call ended',
  customer_left: 'the customer left',
  customer_absent: 'the customer lost the connection',
  department_changed: 'the department was changed',
  tenant_suspended: 'the company was suspended',
  plan_limit: 'the plan allows no more calls at the same time',
  reassigned: 'a supervisor offered the call to another agent',
};

const en = {
  title: 'What happened',
  empty: 'Nothing is recorded of this call.',
  forbidden: 'Only supervisors and the agents of this call can see what happened to it.',
  unknown: (type: string) => `Something that this version of the console does not know: ${type}.`,
  note: (note: string) => `Note: ${note}`,
  why: 'Why this agent?',
  whyText: (n: number) =>
    plural(
      n,
      'Nobody else could take the call then:',
      `${n} agents could take the call then. In their order:`,
    ),
  idle: (time: string) => `without a call for ${time}`,
  neverIdle: 'idle time unknown',
  skill: (name: string, level: number) => `${name}, level ${level}`,
  unknownSkill: 'a skill',
  quality: {
    run: (from: string, until: string) =>
      from === until ? `Connection at ${from}` : `Connection from ${from} to ${until}`,
    sides: { customer: 'Customer', agent: 'Agent' },
    levels: { good: 'good', fair: 'fair', poor: 'poor' },
    rtt: (ms: number) => `delay ${ms} ms`,
    loss: (percent: string) => `${percent} of packets lost`,
    maxLoss: (percent: string) => `at worst ${percent}`,
    bitrate: (kbit: number) => `at least ${kbit} kbit/s`,
  },
  device: {
    title: 'The page of the customer checked the device:',
    camera: { ok: 'camera works', refused: 'camera refused', missing: 'no camera' },
    microphone: { ok: 'microphone works', refused: 'microphone refused', missing: 'no microphone' },
    network: { good: 'good network', fair: 'fair network', poor: 'poor network' },
  },
  sentences: {
    joined: (f) => `The customer joined ${department(f.department)}.`,
    offered: (f) => {
      if (f.kind === 'forced')
        return `${f.by ?? 'A supervisor'} had the call offered to ${anAgent(f.agent)}.`;
      if (f.kind === 'transfer') return `${somebody(f.by)} asked ${anAgent(f.agent)} to take over the call.`;
      return `The call was offered to ${anAgent(f.agent)}.`;
    },
    accepted: (f) => `${somebody(f.agent)} accepted.`,
    declined: (f) => `${somebody(f.agent)} declined${f.reason ? `: ${f.reason}` : ''}.`,
    expired: (f) => `${somebody(f.agent)} did not answer in time.`,
    withdrawn: (f) => {
      const why = WITHDRAWN[f.reason ?? ''] ?? f.reason;
      return `The offer to ${anAgent(f.agent)} was withdrawn${why ? `: ${why}` : ''}.`;
    },
    assigned: (f) =>
      f.by
        ? `The call was assigned to ${anAgent(f.agent)} instead of ${f.by}.`
        : `The call was assigned to ${anAgent(f.agent)}.`,
    requeued: (f) =>
      f.count
        ? `${somebody(f.agent)} did not start the call in time (${plural(f.count, 'once', `${f.count} times`)} so far). It went back to its place in the line.`
        : 'The call went back to its place in the line.',
    overflowed: (f) => `The call waited too long, so it waits in ${department(f.department)}, too.`,
    started: (f) => `${somebody(f.agent)} started the call.`,
    peer_disconnected: (f) =>
      `${Side(f.participant)} lost the connection${f.until ? ` and had until ${f.until} to come back` : ''}.`,
    peer_reconnected: (f) => `${Side(f.participant)} came back.`,
    // A supervisor may have done it: the service does not tell.
    transferred: (f) =>
      f.to
        ? `The call went from ${anAgent(f.agent)} to ${f.to}.`
        : `The call went from ${anAgent(f.agent)} to ${department(f.department)}.`,
    recording_state: (f) => {
      if (f.consent === false) return 'The customer refused the recording.';
      if (f.recording === 'requested')
        return f.consent
          ? 'The customer agreed to the recording.'
          : `${somebody(f.agent)} asked to record the call.`;
      return f.recording === 'on' ? 'The recording began.' : 'The recording stopped.';
    },
    callback_requested: () => 'The customer asked to be called back and keeps the place in the line.',
    callback_invited: (f) =>
      `The customer was invited to return${f.until ? ` until ${f.until}` : ''}${f.count ? ` (invitation ${f.count})` : ''}.`,
    callback_returned: () => 'The customer returned after the invitation.',
    callback_expired: () => 'The customer did not return after the invitation.',
    callback_cancelled: () => 'The callback was cancelled.',
    completed: (f) => {
      if (f.reason !== 'disconnect') return 'The call ended regularly.';
      if (f.dropped.length === 2) return 'The call ended because both sides had lost the connection.';
      const [who] = f.dropped;
      return who
        ? `The call dropped: ${side(who)} had lost the connection and did not come back in time.`
        : 'The call dropped: a connection was lost and not restored in time.';
    },
    missed: () => 'The call was missed: no agent started it in time.',
    cancelled: () =>
      'The call was cancelled before it began: the customer left, or the department was deleted.',
    abandoned: () =>
      'The wait ended without an agent: the customer was gone too long, the longest wait was reached, or the department closed.',
    rated: (f) => `The customer rated the call with ${f.rating} of 5${rated(f.rated_by)}.`,
  } as Record<string, (facts: EntryFacts) => string>,
};

export default en;
export type TimelineTexts = typeof en;
