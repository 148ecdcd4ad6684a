import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/changed-fields';
import { EventBus } from '../platform/events/event-bus';
import { invalidField, unprocessable } from '../platform/http/errors/api-error';
import { parseTimestamp } from '../platform/http/input/timestamp';
import type { Principal } from '../platform/access/principal';
import type { AppointmentDto, CreateAppointmentDto, UpdateAppointmentDto } from './appointment.dto';
import { Appointment } from './appointment.entity';
import { AppointmentCreated, AppointmentUpdated } from './appointment.events';
import { AppointmentList } from './appointment-list';
import { type AppointmentStep, isLive } from './appointment.machine';
import { deadlinesOf, problemOf, type Times } from './appointment.rules';
import { AppointmentStates } from './appointment-states';
import { ConfirmedAppointments } from './confirmed-appointments';

@Injectable()
export class AppointmentsService {
  constructor(
    private readonly database: Database,
    private readonly states: AppointmentStates,
    private readonly confirmed: ConfirmedAppointments,
    private readonly list: AppointmentList,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 422 for an agent who is not an active user or is not free, unknown ids, or times that are none */
  async create(user: Principal, input: CreateAppointmentDto): Promise<AppointmentDto> {
    const { tenant_id } = user;
    const times = { starts_at: parseTimestamp(input.starts_at), ends_at: parseTimestamp(input.ends_at) };
    ensureTimes(times);
    const id = await this.database.tenant(tenant_id, async (tx) => {
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
          ...deadlinesOf({ status: 'scheduled', ...times }, now),
          created_by: user.user_id,
          inserted_at: now,
          updated_at: now,
        }),
      );
      await this.events.record(tx, new AppointmentCreated(appointment, now));
      return appointment.id;
    });
    return this.list.get(tenant_id, id);
  }

  /**
   * Changes a live appointment. Who was invited hears of it, and the link moves along.
   * @throws 404; 422 once it is final, and as for create
   */
  async update(user: Principal, id: string, input: UpdateAppointmentDto): Promise<AppointmentDto> {
    const { tenant_id } = user;
    const wanted = changesOf(input);
    await this.database.tenant(tenant_id, async (tx) => {
      const before = await this.states.lockWithReferences(tx, tenant_id, id);
      if (!isLive(before.status)) {
        throw unprocessable(
          'appointment_closed',
          `An appointment that is ${before.status} cannot be changed.`,
        );
      }
      const changed = changedFields(before, wanted);
      if (changed.length > 0) await this.write(tx, user, before, wanted, changed);
    });
    return this.list.get(tenant_id, id);
  }

  /** @throws 404; 422 invalid_transition, or for a confirmation without a department that takes calls */
  async step(user: Principal, id: string, step: AppointmentStep): Promise<AppointmentDto> {
    await this.database.tenant(user.tenant_id, async (tx) => {
      const appointment = await this.states.lockWithReferences(tx, user.tenant_id, id);
      await this.states.apply(tx, appointment, step, user.user_id);
    });
    return this.list.get(user.tenant_id, id);
  }

  private async write(
    tx: Transaction,
    user: Principal,
    before: Appointment,
    wanted: Partial<Appointment>,
    changed: string[],
  ): Promise<void> {
    const now = this.clock.now();
    const after: Appointment = { ...before, ...wanted };
    ensureTimes(after);
    await this.lockAgent(tx, before.tenant_id, after.user_id, changed.includes('user_id'));
    const changes: Partial<Appointment> = {
      ...wanted,
      ...(changed.includes('starts_at') && deadlinesOf(after, now)),
      ...(before.status === 'confirmed' && (await this.confirmed.change(tx, before, after, user.user_id))),
      updated_at: now,
    };
    await tx.repository(Appointment).update({ id: before.id, tenant_id: before.tenant_id }, changes);
    await this.events.record(tx, new AppointmentUpdated({ ...after, ...changes }, now, changed));
  }

  /**
   * Whoever books an agent's time waits here for those who do so, too. The database would refuse overlaps without
   * it, but one of two that meet would have to be undone as a deadlock first.
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

/** @throws 422 */
function ensureTimes(times: Times): void {
  const found = problemOf(times);
  if (found) throw invalidField(found.field, found.problem);
}

/** @throws 422 */
function changesOf({ starts_at, ends_at, ...others }: UpdateAppointmentDto): Partial<Appointment> {
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as Partial<Appointment>),
    ...(starts_at !== undefined && { starts_at: givenMoment('starts_at', starts_at) }),
    ...(ends_at !== undefined && { ends_at: givenMoment('ends_at', ends_at) }),
  };
}

/** An update may leave a field out, but not say that there is none. */
function givenMoment(field: string, text: string | null): Date {
  if (text === null) throw invalidField(field, 'must not be null');
  return parseTimestamp(text);
}
