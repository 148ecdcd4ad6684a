import { Inject, Injectable } from '@nestjs/common';
import { AccessLinkResolver } from '../../access-links/access-link-resolver';
import { AGENT_NAME, appointmentOfLink } from '../../access-links/appointment-of-link';
import { cancelledLink } from '../../access-links/link-errors';
import {
  ALWAYS_OPEN,
  type HoursRow,
  hoursOf,
  opennessAt,
} from '../../departments/hours/department-hours.rules';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { notFound } from '../../platform/http/errors/api-error';
import { absolutePictureUrl } from '../../tenancy/pictures/picture-url';
import type { Call } from '../call.entity';
import { callbackOf } from '../callbacks/callback-of';
import { CustomerTokens } from './customer-tokens';
import type { CallStatusDto, LinkValidationDto } from './public-call.dto';
import { NO_WAIT, withoutEstimate } from '../queue/customer-estimate.rules';
import { DepartmentQueues } from '../queue/department-queues';
import { Queue } from '../queue/queue';
import { CallTransitions } from '../machine/call-transitions';
import { Absence } from '../machine/absence';
import { callStatusOf } from './call-status';

type LinkNames = Pick<
  LinkValidationDto,
  | 'department_name'
  | 'company_name'
  | 'company_logo_url'
  | 'primary_color'
  | 'callback_enabled'
  | 'closed_message'
  | 'privacy_url'
  | 'privacy_text'
  | 'appointment'
  | 'customer_name'
>;

/** The appointment of the link $4. */
const APPOINTMENT = appointmentOfLink('$2', '$4', AGENT_NAME);

/** Everything a customer can do except joining, resuming, callbacks and rating. */
@Injectable()
export class CustomerCallActions {
  constructor(
    private readonly database: Database,
    private readonly links: AccessLinkResolver,
    private readonly queue: Queue,
    private readonly queues: DepartmentQueues,
    private readonly transitions: CallTransitions,
    private readonly absence: Absence,
    private readonly tokens: CustomerTokens,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws 404 with the codes of link-errors.ts */
  async validate(token: string): Promise<LinkValidationDto> {
    return this.database.system(async (tx) => {
      const link = await this.links.resolve(tx, token);
      const { tenant_id, department_id, is_appointment, link_id, customer_id } = link;
      tx.narrow(tenant_id);
      const [row] = await tx.query<LinkNames & HoursRow & { tenant_timezone: string }>(
        `SELECT d.name AS department_name, t.name AS company_name, t.logo_url AS company_logo_url, t.primary_color,
           t.privacy_url, t.privacy_text,
           d.callback_enabled, d.closed_message, d.opening_hours, t.timezone AS tenant_timezone,
           CASE WHEN $3 THEN ${APPOINTMENT} END AS appointment,
           CASE WHEN $3 THEN (SELECT c.name FROM customers c WHERE c.tenant_id = $2 AND c.id = $5) END AS customer_name
         FROM departments d, tenants t WHERE d.id = $1 AND t.id = $2`,
        [department_id, tenant_id, is_appointment, link_id, customer_id],
      );
      // The department was deleted after the link was read.
      if (!row) throw cancelledLink();
      const { opening_hours, tenant_timezone, ...names } = row;
      const hours = hoursOf({ opening_hours, tenant_timezone });
      const openness = is_appointment ? ALWAYS_OPEN : opennessAt(hours, this.clock.now());
      const place = await this.queues.read(tx, link);
      return {
        valid: true,
        ...names,
        company_logo_url: absolutePictureUrl(names.company_logo_url, this.config.publicUrl),
        ...(openness.open ? place : withoutEstimate(place)),
        ...openness,
        timezone: hours?.timezone ?? tenant_timezone,
      };
    });
  }

  /** The call's state and position. A poll also proves that the customer is still there. @throws 404 */
  async status(callId: string): Promise<CallStatusDto> {
    const known = await this.queue.lookUp(callId);
    if (!known) throw notFound('Call');
    const { tenant_id, absence_deadline, present_until } = known;
    if (absence_deadline) {
      await this.absence.postpone(tenant_id, callId, {
        absence_deadline: new Date(absence_deadline),
        present_until: present_until === null ? null : new Date(present_until),
      });
    } else if (present_until) {
      await this.absence.recordSeen(tenant_id, callId, new Date(present_until));
    }
    return callStatusOf(known.position);
  }

  /** @throws 401 for an invalid token, 404 if it belongs to another call, 422 once the call is active or ended */
  async cancel(callId: string, token: string): Promise<CallStatusDto> {
    const customer = await this.tokens.verify(token);
    if (customer.call_id !== callId) throw notFound('Call');
    return this.leaveQueue(customer.tenant_id, callId);
  }

  /** @throws 422 if the call is neither queued nor assigned */
  async leaveQueue(tenantId: string, callId: string): Promise<CallStatusDto> {
    return this.database.tenant(tenantId, async (tx) => {
      const call = await this.transitions.lock(tx, tenantId, callId);
      const ended = await this.transitions.apply(tx, call, { trigger: 'cancel' });
      const { status } = ended;
      return {
        call_id: callId,
        status,
        position: 0,
        ...NO_WAIT,
        ringing: false,
        callback: callbackOf(ended),
      };
    });
  }

  /** @throws 422 unless the call is active */
  hangUp(tenantId: string, callId: string): Promise<Call> {
    return this.database.tenant(tenantId, async (tx) => {
      const call = await this.transitions.lock(tx, tenantId, callId);
      return this.transitions.apply(tx, call, { trigger: 'hang_up' });
    });
  }
}
