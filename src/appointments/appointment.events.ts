import { DomainEvent } from '../platform/events/domain-event';
import type { Appointment } from './appointment.entity';
import type { AppointmentStatus } from './appointment.machine';

/** An event about an appointment, whose id is subject_id. */
export abstract class AppointmentEvent extends DomainEvent {
  readonly status: AppointmentStatus;
  readonly department_id: string | null;
  readonly user_id: string;
  readonly customer_id: string | null;
  readonly starts_at: string;
  readonly ends_at: string;

  constructor(appointment: Appointment, at: Date) {
    super(appointment.tenant_id, appointment.id, at.toISOString());
    this.status = appointment.status;
    this.department_id = appointment.department_id;
    this.user_id = appointment.user_id;
    this.customer_id = appointment.customer_id;
    this.starts_at = appointment.starts_at.toISOString();
    this.ends_at = appointment.ends_at.toISOString();
  }
}

export class AppointmentCreated extends AppointmentEvent {
  readonly type = 'appointment.created';

  override get details() {
    return { department_id: this.department_id, user_id: this.user_id, customer_id: this.customer_id };
  }
}

export class AppointmentUpdated extends AppointmentEvent {
  readonly type = 'appointment.updated';

  constructor(
    appointment: Appointment,
    at: Date,
    /** Names of the changed fields. */
    readonly changed: string[],
  ) {
    super(appointment, at);
  }

  override get details() {
    return { changed: this.changed };
  }
}

export class AppointmentConfirmed extends AppointmentEvent {
  readonly type = 'appointment.confirmed';
}

export class AppointmentCompleted extends AppointmentEvent {
  readonly type = 'appointment.completed';
}

export class AppointmentCancelled extends AppointmentEvent {
  readonly type = 'appointment.cancelled';
}

export class AppointmentNoShow extends AppointmentEvent {
  readonly type = 'appointment.no_show';
}
