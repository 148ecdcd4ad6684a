import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { selectList } from '../platform/database/columns';
import { Database } from '../platform/database/database';
import { badParameters, notFound } from '../platform/http/errors/api-error';
import { Filter } from '../platform/database/filter';
import { ListQuery } from '../platform/database/list-query';
import { parseTimestamp } from '../platform/http/input/timestamp';
import type { Page } from '../platform/database/page';
import { onlyVisible, type Viewer } from '../identity/users/visible-records';
import { CompanyDays } from '../tenancy/company-days';
import { searchPattern } from '../platform/text/search-pattern';
import { APPOINTMENT_COLUMNS } from './appointment.columns';
import {
  APPOINTMENT_SORTABLE,
  type AppointmentDto,
  type AppointmentListQuery,
  type ConflictsQuery,
} from './appointment.dto';
import { LIVE_STATUSES } from './appointment.machine';
import { linkUrl } from '../access-links/link-url';

const COLUMNS = selectList(APPOINTMENT_COLUMNS);
const WITH_CUSTOMER = `appointments a LEFT JOIN customers c ON c.id = a.customer_id
  LEFT JOIN departments d ON d.id = a.department_id`;
const FROM = `${WITH_CUSTOMER} LEFT JOIN access_links l ON l.id = a.access_link_id`;

@Injectable()
export class AppointmentList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
    private readonly days: CompanyDays,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async page(viewer: Viewer, query: AppointmentListQuery): Promise<Page<AppointmentDto>> {
    const { from, until } = await this.days.range(viewer.tenant_id, query);
    const filter = this.visibleFilter(viewer)
      .andIf('a.status = ?', query.status)
      .andIf('d.id = ?', query.department_id)
      .andIf('a.user_id = ?', query.user_id)
      .andIf('a.customer_id = ?', query.customer_id)
      .andIf('a.starts_at >= ?', from)
      .andIf('a.starts_at < ?', until)
      .andSearch('(a.title ILIKE ? OR c.name ILIKE ?)', searchPattern(query.search));
    return this.lists.page<AppointmentDto>(
      viewer.tenant_id,
      {
        select: COLUMNS,
        from: FROM,
        countFrom: WITH_CUSTOMER,
        filter,
        sortable: APPOINTMENT_SORTABLE,
        indexedSorts: ['starts_at'],
        id: 'a.id',
      },
      query,
    );
  }

  /** @throws 404, also for an appointment that the viewer may not see */
  async get(viewer: Viewer, id: string): Promise<AppointmentDto> {
    const [appointment] = await this.select(viewer.tenant_id, this.visibleFilter(viewer).and('a.id = ?', id));
    if (!appointment) throw notFound('Appointment');
    return appointment;
  }

  /** The agent's live appointments that overlap the time; adjacent ones do not overlap. @throws 400 */
  conflicts(viewer: Viewer, query: ConflictsQuery): Promise<AppointmentDto[]> {
    const [starts_at, ends_at] = [parseTimestamp(query.starts_at), parseTimestamp(query.ends_at)];
    if (ends_at <= starts_at) {
      throw badParameters({ ends_at: ['must be after starts_at'] });
    }
    const filter = this.visibleFilter(viewer)
      .and('a.user_id = ?', query.user_id)
      .and('a.status = ANY (?)', LIVE_STATUSES)
      .and('a.ends_at > ?', starts_at)
      .and('a.starts_at < ?', ends_at)
      .andIf('a.id <> ?', query.exclude_id);
    return this.select(viewer.tenant_id, filter);
  }

  /** Binds $1 and $2, which COLUMNS refers to. A statement must use every parameter that it is given. */
  private visibleFilter(viewer: Viewer): Filter {
    const filter = new Filter()
      .parameter('timestamptz', this.clock.now())
      .parameter('text', linkUrl(this.config.publicUrl))
      .and('a.tenant_id = ?', viewer.tenant_id);
    return onlyVisible(filter, 'appointment', viewer);
  }

  private async select(tenantId: string, { sql, values }: Filter): Promise<AppointmentDto[]> {
    const [rows] = await this.database.readTenant<[AppointmentDto]>(tenantId, [
      { text: `SELECT ${COLUMNS} FROM ${FROM} ${sql} ORDER BY a.starts_at, a.id`, values },
    ]);
    return rows;
  }
}
