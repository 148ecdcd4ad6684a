import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/record-updated';
import { EventBus } from '../platform/events/event-bus';
import { invalidField, notFound, unprocessable } from '../platform/http/errors/api-error';
import type { Principal } from '../platform/access/principal';
import { ensureMayRefer, onlyVisible } from '../identity/users/visible-records';
import { Filter } from '../platform/database/filter';
import { SubscriptionsService } from '../plans/subscriptions.service';
import type { AppointmentDto, CreateAppointmentDto, UpdateAppointmentDto } from './appointment.dto';
import { Appointment } from './appointment.entity';
import { ensureValidTimes, parseChanges, parseTimes } from './appointment-input';
import { AppointmentCreated, AppointmentUpdated } from './appointment.events';
import { AppointmentList } from './appointment-list';
import { type AppointmentTrigger, isLive } from './appointment.machine';
import { computeDeadlines } from './appointment.rules';
import { AppointmentTransitions } from './appointment-transitions';
import { UpdateConfirmedAppointment } from './update-confirmed-appointment';

/** Creates and updates appointments, and changes their status for users. */
@Injectable()
export class AppointmentsService {
  constructor(
    private readonly database: Database,
    private readonly transitions: AppointmentTransitions,
    private readonly updateConfirmed: UpdateConfirmedAppointment,
    private readonly list: AppointmentList,
    private readonly subscriptions: SubscriptionsService,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 403 plan_limit for a confirmation; 422 for an agent who is not an active user or not free, unknown ids, or invalid times, and as a confirmation */
  async create(user: Principal, input: CreateAppointmentDto): Promise<AppointmentDto> {
    const { tenant_id } = user;
    const times = parseTimes(input);
    const id = await this.database.tenant(tenant_id, async (tx) => {
      // A confirmation creates a link, which counts towards the plan. Lock order: the tenant comes first.
      if (input.confirm) await this.subscriptions.lockLimits(tx, tenant_id);
      await ensureMayRefer(tx, user, input);
      await this.lockAgent(tx, tenant_id, input.user_id, true);
      const now = this.clock.now();
      const appointments = tx.repository(Appointment);
      const appointment = await appointments.save(
        appointments.create({
          tenant_id,
          user_id: input.user_id,
          department_id: input.department_id ?? null,
          customer_id: input.customer_id ?? null,
          title: input.title ?? null,
          notes: input.notes ?? null,
          ...times,
          ...computeDeadlines({ status: 'scheduled', ...times }, now),
          created_by: user.user_id,
          inserted_at: now,
          updated_at: now,
        }),
      );
      await this.events.record(tx, new AppointmentCreated(appointment, now));
      if (input.confirm) await this.transitions.apply(tx, appointment, 'confirm', user.user_id);
      await ensureStillVisible(tx, user, appointment.id);
      return appointment.id;
    });
    return this.list.get(user, id);
  }

  /**
   * Changes a live appointment. The link is adapted and an invited customer is notified; one that is only scheduled can be
   * confirmed in the same step.
   * @throws 403 plan_limit, 404; 422 once the status is final, and as for create
   */
  async update(user: Principal, id: string, input: UpdateAppointmentDto): Promise<AppointmentDto> {
    const { tenant_id } = user;
    const requested = parseChanges(input);
    await this.database.tenant(tenant_id, async (tx) => {
      await this.subscriptions.lockLimits(tx, tenant_id);
      if (!(await isVisible(tx, user, id))) throw notFound('Appointment');
      await ensureMayRefer(tx, user, requested);
      const before = await this.transitions.lockWithReferences(tx, tenant_id, id);
      if (!isLive(before.status)) {
        throw unprocessable(
          'appointment_closed',
          `An appointment that is ${before.status} cannot be changed.`,
        );
      }
      const changed = changedFields(before, requested);
      const after = changed.length > 0 ? await this.save(tx, user, before, requested, changed) : before;
      if (input.confirm) await this.transitions.apply(tx, after, 'confirm', user.user_id);
      await ensureStillVisible(tx, user, id);
    });
    return this.list.get(user, id);
  }

  /** @throws 403 plan_limit, 404; 422 invalid_transition, or for a confirmation without an active department */
  async transition(user: Principal, id: string, trigger: AppointmentTrigger): Promise<AppointmentDto> {
    await this.database.tenant(user.tenant_id, async (tx) => {
      if (trigger === 'confirm') await this.subscriptions.lockLimits(tx, user.tenant_id);
      if (!(await isVisible(tx, user, id))) throw notFound('Appointment');
      const appointment = await this.transitions.lockWithReferences(tx, user.tenant_id, id);
      await this.transitions.apply(tx, appointment, trigger, user.user_id);
      await ensureStillVisible(tx, user, id);
    });
    return this.list.get(user, id);
  }

  private async save(
    tx: Transaction,
    user: Principal,
    before: Appointment,
    requested: Partial<Appointment>,
    changed: string[],
  ): Promise<Appointment> {
    const now = this.clock.now();
    const after: Appointment = { ...before, ...requested };
    ensureValidTimes(after);
    await this.lockAgent(tx, before.tenant_id, after.user_id, changed.includes('user_id'));
    const changes: Partial<Appointment> = {
      ...requested,
      ...(changed.includes('starts_at') && computeDeadlines(after, now)),
      ...(before.status === 'confirmed' &&
        (await this.updateConfirmed.updateLinkAndNotify(tx, before, after, user.user_id))),
      updated_at: now,
    };
    await tx.repository(Appointment).update({ id: before.id, tenant_id: before.tenant_id }, changes);
    const saved = { ...after, ...changes };
    await this.events.record(tx, new AppointmentUpdated(saved, now, changed));
    return saved;
  }

  /**
   * Serialises the bookings of one agent. The exclusion constraint rejects overlaps without this lock, but concurrent
   * bookings would deadlock on it.
   */
  private async lockAgent(
    tx: Transaction,
    tenantId: string,
    userId: string,
    mustBeActive: boolean,
  ): Promise<void> {
    const agent = await tx.one<{ active: boolean }>(
      'SELECT active FROM users WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [tenantId, userId],
    );
    if (!agent || (mustBeActive && !agent.active)) {
      throw invalidField('user_id', 'is not an active user of this tenant');
    }
  }
}

async function isVisible(tx: Transaction, user: Principal, id: string): Promise<boolean> {
  const filter = new Filter().and('a.tenant_id = ?', user.tenant_id).and('a.id = ?', id);
  const { sql, values } = onlyVisible(filter, 'appointment', user);
  const found = await tx.one(
    `SELECT FROM appointments a LEFT JOIN departments d ON d.id = a.department_id ${sql}`,
    values,
  );
  return found !== undefined;
}

/** A restricted attendant must not make an appointment that they do not see, such as one without a department for a colleague. */
async function ensureStillVisible(tx: Transaction, user: Principal, id: string): Promise<void> {
  if (user.restricted && !(await isVisible(tx, user, id))) {
    throw invalidField('department_id', 'must be one of your departments');
  }
}
