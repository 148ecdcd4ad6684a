import type { LiveSocket } from '../socket.types';

/** Who sends an event of a call. */
export interface Sender {
  tenant_id: string;
  /** The member of staff; null for the customer. */
  user_id: string | null;
}

export const senderOf = ({ data }: LiveSocket): Sender =>
  data.kind === 'staff'
    ? { tenant_id: data.user.tenant_id, user_id: data.user.user_id }
    : { tenant_id: data.customer.tenant_id, user_id: null };
