import { Injectable } from '@nestjs/common';
import { CallEnded } from '../calls/call.events';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { isLive } from './appointment.machine';
import { AppointmentTransitions } from './appointment-transitions';

/** Completes an appointment when the call that joined through its link is completed. */
@Injectable()
export class CompleteAppointmentAfterCall {
  constructor(private readonly transitions: AppointmentTransitions) {}

  @InTransaction(CallEnded)
  async onCallEnded({ tenant_id, call_id, status }: CallEnded, tx: Transaction): Promise<void> {
    if (status !== 'completed') return;
    const found = await tx.one<{ id: string }>(
      `SELECT a.id FROM appointments a JOIN calls c ON c.access_link_id = a.access_link_id
       WHERE a.tenant_id = $1 AND c.tenant_id = $1 AND c.id = $2`,
      [tenant_id, call_id],
    );
    const appointment = found && (await this.transitions.lock(tx, tenant_id, found.id));
    if (appointment && isLive(appointment.status)) await this.transitions.apply(tx, appointment, 'complete');
  }
}
