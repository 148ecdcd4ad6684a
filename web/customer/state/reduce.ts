import { callOf, deviceTime, factsOfEntry, factsOfSnapshot, withCall } from './call-facts';
import { atService, stateByStatus } from './by-status';
import { afterJoinRefused, afterResumeRefused } from './refusals';
import { stateOfLink } from './start';
import { reduceSocketEvent } from './reduce-socket-event';
import type { LinkValidation, Snapshot } from './server.types';
import type { Moment, PageEvent, PeerLoss, State } from './state.types';

type Entered = Extract<PageEvent, { type: 'entered' }>;

/** The page's next state. Pure: the moment has the time, and nothing else is read. */
export function reduce(state: State, event: PageEvent, moment: Moment): State {
  switch (event.type) {
    case 'join_sent':
      return { screen: 'joining', retry: null };
    case 'resume_sent':
      return { screen: 'resuming', retry: null };
    case 'retry':
      return isTrying(state) ? { ...state, retry: event.retry } : state;
    case 'entered':
      return entered(state, event, moment);
    case 'join_refused':
      return afterJoinRefused(event.problem);
    case 'resume_refused':
      return afterResumeRefused(state, event);
    case 'link_checked':
      return showsLink(state) ? linkChecked(state, event.link) : state;
    case 'start_over':
      return event.start;
    case 'left':
      return { screen: 'over', why: 'left' };
    case 'connected':
      return state.screen === 'in_call' && state.isNewAgent ? { ...state, isNewAgent: false } : state;
    case 'snapshot':
      return snapshotTaken(state, event.snapshot, moment);
    case 'socket':
      return reduceSocketEvent(state, event, moment);
    case 'rated':
      return { screen: 'thanks', after: 'rated' };
    case 'rating_skipped':
      return { screen: 'thanks', after: event.isForgotten ? 'forgotten' : 'skipped' };
    case 'rating_refused':
      return state.screen === 'rating' ? { ...state, problem: event.problem } : state;
    default:
      return { screen: 'other_device' };
  }
}

/** Whether the state belongs to the link, so that its news may replace it. */
const showsLink = ({ screen }: State) => ['form', 'closed', 'full', 'problem'].includes(screen);

/** What the customer has been told about the form stays. */
const linkChecked = (state: State, link: LinkValidation): State =>
  state.screen === 'form' && link.open ? state : stateOfLink(link);

const isTrying = (state: State) => state.screen === 'joining' || state.screen === 'resuming';

/** An answer changes nothing but the address if the socket has brought a newer version of the call since the request. */
function entered(state: State, { entry, link, email, version }: Entered, moment: Moment): State {
  const known = callOf(state);
  const isOvertaken = version !== undefined && (known?.id !== entry.call_id || known.version > version);
  if (isOvertaken) return withCall(state, (call) => ({ ...call, email: email ?? call.email }));
  const facts = factsOfEntry(known, entry, link);
  const call = { ...facts, email: email ?? facts.email };
  return stateByStatus(state, { status: entry.status, call, peerLost: lossOf(state) }, moment);
}

function snapshotTaken(state: State, snapshot: Snapshot, moment: Moment): State {
  const { status, end_reason } = snapshot;
  const call = factsOfSnapshot(callOf(state), snapshot, moment.now);
  return stateByStatus(
    state,
    { status, call, end_reason, peerLost: lossIn(snapshot, moment.now) },
    atService(moment, snapshot),
  );
}

const lossOf = (state: State): PeerLoss | null => (state.screen === 'in_call' ? state.peerLost : null);

/** The grace period of a snapshot, in the time of this device. */
function lossIn({ grace_deadline, at }: Snapshot, now: number): PeerLoss | null {
  if (grace_deadline === null) return null;
  const until = deviceTime(grace_deadline, at, now);
  return until > now ? { until, isAgent: false } : null;
}
