import type { Socket } from 'socket.io';
import type { CustomerIdentity } from '../calls/customer/customer-tokens';
import type { CustomerEstimate } from '../calls/queue/customer-estimate.rules';
import type { QueuePosition } from '../calls/queue/queue';
import type { Principal } from '../platform/access/principal';
import type { ErrorCode } from '../platform/http/errors/error-codes';
import type { TaskQueue } from '../platform/rate-limit/task-queue';

/** The acknowledgement of a client's event. */
export type Ack = { ok: true; data?: unknown } | { ok: false; error: { code: ErrorCode; detail: string } };

interface TokenExpiry {
  /** When the token expires, in milliseconds of real time; `authenticate` replaces it. */
  expires_at: number;
  /** How long before that the socket is told. */
  notice_ms: number;
  /** The expiry of which the socket was told. */
  told_expiry?: number;
}

export interface StaffData extends TokenExpiry {
  kind: 'staff';
  user: Principal;
}

/** Which page of the customer holds the call. */
export interface CallHolder {
  session: string | null;
  version: number;
}

/** What a customer knows of the line. */
export interface SentPosition extends Pick<QueuePosition, 'position' | 'ringing' | keyof CustomerEstimate> {
  /** ISO 8601: when it was read. */
  at: string;
}

export interface CustomerData extends TokenExpiry {
  kind: 'customer';
  customer: Omit<CustomerIdentity, 'expires_at'>;
  /** The page that holds the call since this version of it, as far as this instance knows; null while all pages do. */
  holder?: CallHolder;
  /** The position that was sent last: only changes are sent. */
  lastSent?: SentPosition;
  /** When the reading of the newest position began that was sent, by an event or a snapshot; of performance.now. */
  positionReadMs?: number;
}

/** A connected socket and who it is. */
export type LiveSocket = Socket & {
  data: (StaffData | CustomerData) & {
    /** The client's address when it connected, determined by TRUST_PROXY. */
    address?: string | null;
    /** Settles once the connection is established or has failed; disconnecting waits for it. */
    opening?: Promise<void>;
    /** The session that the page of the socket made when it was loaded; the id of the socket if it sends none. */
    page_session: string;
    /** Whether the first snapshot has been sent. */
    hasSnapshot?: boolean;
    /** The events of the socket that are being handled or wait for it. */
    queue?: TaskQueue;
    /** Its signals, which are handled one after another so that they keep their order. */
    signals?: TaskQueue;
  };
};
