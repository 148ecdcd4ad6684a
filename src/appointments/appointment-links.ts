import { Injectable } from '@nestjs/common';
import { AccessLinksService } from '../access-links/access-links.service';
import { CancelAccessLinks } from '../access-links/cancel-access-links';
import { updateAccessLink, type AccessLinkSettings } from '../access-links/update-access-link';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { unprocessable } from '../platform/http/errors/api-error';
import type { Appointment } from './appointment.entity';
import { linkValidity } from './appointment.rules';

/** Creates, updates and cancels the links through which customers join their appointments. */
@Injectable()
export class AppointmentLinks {
  constructor(
    private readonly links: AccessLinksService,
    private readonly cancellation: CancelAccessLinks,
    private readonly clock: Clock,
  ) {}

  /**
   * @param actorId the user who confirms or changes the appointment
   * @returns the new link's id
   * @throws 403 plan_limit, 422 without an active department
   */
  async create(tx: Transaction, appointment: Appointment, actorId: string | null): Promise<string> {
    const settings = linkSettings(appointment);
    await this.ensureDepartmentActive(tx, appointment);
    const expires_at = settings.expires_at.toISOString();
    return this.links.insert(tx, appointment.tenant_id, actorId, { ...settings, expires_at });
  }

  /**
   * Adapts the link to a changed appointment. A new customer gets a new link, because the previous customer must no
   * longer be able to join.
   * @param actorId the user who changes the appointment
   * @returns the link's id: a new one if the previous link was cancelled
   * @throws 403 plan_limit, 422 without an active department
   */
  async update(
    tx: Transaction,
    before: Appointment,
    after: Appointment,
    actorId: string | null,
  ): Promise<string> {
    const { tenant_id, access_link_id, customer_id } = before;
    if (customer_id && customer_id !== after.customer_id) await this.cancel(tx, before);
    else if (access_link_id) {
      const settings = linkSettings(after);
      const now = this.clock.now();
      const wasActive = before.ends_at > now && (await hasDepartment(tx, before));
      // The link has expired or lost its department, and becomes active again.
      if (!wasActive && after.ends_at > now) await this.links.ensureWithinLimit(tx, tenant_id, 1);
      if (after.department_id !== before.department_id) await this.ensureDepartmentActive(tx, after);
      if (await updateAccessLink(tx, tenant_id, access_link_id, settings)) return access_link_id;
    }
    return this.create(tx, after, actorId);
  }

  /** Cancels the appointment's link, if it has one. A customer who is already waiting stays in the queue. */
  async cancel(tx: Transaction, { tenant_id, access_link_id }: Appointment): Promise<void> {
    if (access_link_id) await this.cancellation.cancelWhere(tx, tenant_id, 'id', access_link_id);
  }

  /** An unknown department is rejected by the database. */
  private async ensureDepartmentActive(
    tx: Transaction,
    { tenant_id, department_id }: Appointment,
  ): Promise<void> {
    const inactive = await tx.query(
      'SELECT FROM departments WHERE tenant_id = $1 AND id = $2 AND NOT active',
      [tenant_id, department_id],
    );
    if (inactive.length === 0) return;
    throw unprocessable('department_inactive', 'The department is inactive, so its links are not valid.', {
      department_id: ['is inactive'],
    });
  }
}

/** @returns false once the department was deleted, also before the job has ended its appointments */
async function hasDepartment(tx: Transaction, { tenant_id, department_id }: Appointment): Promise<boolean> {
  const found = await tx.one('SELECT FROM departments WHERE tenant_id = $1 AND id = $2', [
    tenant_id,
    department_id,
  ]);
  return found !== undefined;
}

/** @throws 422 department_required */
function linkSettings(appointment: Appointment): AccessLinkSettings {
  const { department_id, customer_id, title, user_id } = appointment;
  if (!department_id) {
    throw unprocessable(
      'department_required',
      'A confirmed appointment needs a department, whose queue its link leads to. Set department_id.',
      { department_id: ['is required'] },
    );
  }
  return {
    department_id,
    customer_id,
    label: title,
    reserved_user_id: user_id,
    ...linkValidity(appointment),
  };
}
