import { Injectable } from '@nestjs/common';
import { AccessLinksService } from '../access-links/access-links.service';
import { CancelAccessLinks } from '../access-links/cancel-access-links';
import { updateAccessLink, type AccessLinkSettings } from '../access-links/update-access-link';
import type { Transaction } from '../platform/database/transaction';
import { unprocessable } from '../platform/http/errors/api-error';
import type { Appointment } from './appointment.entity';
import { linkValidity } from './appointment.rules';

/** The links by which customers come to their appointments. */
@Injectable()
export class AppointmentLinks {
  constructor(
    private readonly links: AccessLinksService,
    private readonly cancellation: CancelAccessLinks,
  ) {}

  /**
   * @param madeBy the user who asked for it
   * @returns the new link's id
   * @throws 422 without a department that takes calls
   */
  async create(tx: Transaction, appointment: Appointment, madeBy: string | null): Promise<string> {
    const terms = linkSettings(appointment);
    await this.ensureDepartmentActive(tx, appointment);
    const expires_at = terms.expires_at.toISOString();
    return this.links.insert(tx, appointment.tenant_id, madeBy, { ...terms, expires_at });
  }

  /**
   * Makes the link fit an appointment that has changed. Whoever is no longer expected must not come in by it, so
   * another customer gets another link.
   * @returns the id of the link, a new one where the old one is not good any more
   * @throws 422 without a department that takes calls
   */
  async update(
    tx: Transaction,
    before: Appointment,
    after: Appointment,
    madeBy: string | null,
  ): Promise<string> {
    const { tenant_id, access_link_id, customer_id } = before;
    if (customer_id && customer_id !== after.customer_id) await this.cancel(tx, before);
    else if (access_link_id) {
      const terms = linkSettings(after);
      if (after.department_id !== before.department_id) await this.ensureDepartmentActive(tx, after);
      if (await updateAccessLink(tx, tenant_id, access_link_id, terms)) return access_link_id;
    }
    return this.create(tx, after, madeBy);
  }

  /** Nobody comes in by it any more; a customer who waits already stays. */
  async cancel(tx: Transaction, { tenant_id, access_link_id }: Appointment): Promise<void> {
    if (access_link_id) await this.cancellation.cancelWhere(tx, tenant_id, 'id', access_link_id);
  }

  /** An unknown department is left to the foreign key. */
  private async ensureDepartmentActive(
    tx: Transaction,
    { tenant_id, department_id }: Appointment,
  ): Promise<void> {
    const closed = await tx.query('SELECT FROM departments WHERE tenant_id = $1 AND id = $2 AND NOT active', [
      tenant_id,
      department_id,
    ]);
    if (closed.length === 0) return;
    throw unprocessable('department_inactive', 'The department is inactive: its links let nobody in.', {
      department_id: ['is inactive'],
    });
  }
}

function linkSettings(appointment: Appointment): AccessLinkSettings {
  const { department_id, customer_id, title, user_id } = appointment;
  if (!department_id) {
    throw unprocessable(
      'department_required',
      'A confirmed appointment needs a department, to whose line its link leads. Set department_id.',
      { department_id: ['must be set'] },
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
