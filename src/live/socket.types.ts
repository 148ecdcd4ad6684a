import type { Socket } from 'socket.io';
import type { CustomerIdentity } from '../calls/customer/customer-tokens';
import type { Principal } from '../platform/access/principal';
import type { TaskQueue } from '../platform/rate-limit/task-queue';

/** The acknowledgement of a client's event. */
export type Ack = { ok: true; data?: unknown } | { ok: false; error: { code: string; detail: string } };

interface TokenExpiry {
  /** When the token expires, in milliseconds of real time; `authenticate` replaces it. */
  expires_at: number;
}

export interface StaffData extends TokenExpiry {
  kind: 'staff';
  user: Principal;
}

export interface CustomerData extends TokenExpiry {
  kind: 'customer';
  customer: Omit<CustomerIdentity, 'expires_at'>;
  /** The position that was sent last: only changes are sent. */
  lastSent?: { position: number; estimated_wait_time: number };
}

/** A connected socket and who it is. */
export type LiveSocket = Socket & {
  data: (StaffData | CustomerData) & {
    /** The client's address when it connected, determined by TRUST_PROXY. */
    address?: string | null;
    /** Settles once the connection is established or has failed; disconnecting waits for it. */
    opening?: Promise<void>;
    /** Whether the first snapshot has been sent. */
    hasSnapshot?: boolean;
    /** The events of the socket that are being handled or wait for it. */
    queue?: TaskQueue;
  };
};
