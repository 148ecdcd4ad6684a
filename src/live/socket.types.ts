import type { Socket } from 'socket.io';
import type { CustomerIdentity } from '../calls/customer/customer-tokens';
import type { Principal } from '../platform/access/principal';

interface Expiring {
  /** When the token runs out; `authenticate` moves it. Real time, as it stands in the token. */
  expires_at: number;
}

export interface StaffData extends Expiring {
  kind: 'staff';
  user: Principal;
}

export interface CustomerData extends Expiring {
  kind: 'customer';
  customer: CustomerIdentity;
  /** What the customer was told last, so that they are told only what changed. */
  lastSent?: { position: number; estimated_wait_time: number };
}

/** A connected socket and who it is. */
export type LiveSocket = Socket & {
  data: (StaffData | CustomerData) & {
    /** The client's address when it connected, as TRUST_PROXY lets it be told. */
    address?: string | null;
    /** Settles once the connection is entered or has failed; its end waits for that. */
    opening?: Promise<void>;
  };
};
