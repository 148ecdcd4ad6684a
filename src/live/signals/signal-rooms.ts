import type { Participant } from '../../calls/call.events';
import type { CallState } from '../../calls/staff/call-access';
import { rooms } from '../rooms';

type Holder = Pick<CallState, 'holder_session'>;
type Agent = Pick<CallState, 'user_id' | 'agent_socket'>;

const ROOMS = {
  /** The page that took the call over, or all pages of the customer if none did. */
  customer: (callId: string, { holder_session }: Holder) =>
    holder_session === null ? rooms.customerOf(callId) : rooms.holderOf(callId, holder_session),
  /**
   * The socket of the agent that joined the call last, or all of them if none has. Each socket is in a room of its id, on
   * whichever instance, so no room has to be kept in step with the last one.
   */
  agent: (callId: string, { user_id, agent_socket }: Agent) =>
    agent_socket ?? (user_id === null ? rooms.agentOf(callId) : rooms.user(user_id)),
};

/** The room of the sockets of a side that get its signals. */
export const signalRoomOf = (side: Participant, callId: string, call: Holder & Agent): string =>
  ROOMS[side](callId, call);

/** Whether a socket of the side gets its signals, as far as the leases of all instances tell. */
export const hasSignalSocket = (
  side: Participant,
  { customer_session, has_agent_socket }: Pick<CallState, 'customer_session' | 'has_agent_socket'>,
): boolean => (side === 'customer' ? customer_session !== null : has_agent_socket);

/** Whether a page of the customer sends and gets signals. @param holder the session of the page that holds the call */
export const takesPart = (holder: string | null, session: string): boolean =>
  holder === null || holder === session;
