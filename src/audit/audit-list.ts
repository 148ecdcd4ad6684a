import { Injectable } from '@nestjs/common';
import { ListQuery } from '../platform/database/list-query';
import { AUDIT_SORT_COLUMNS, type AuditEntryDto, type AuditListQuery } from './audit.dto';
import { Page } from '../platform/database/page';
import { Filter } from '../platform/database/filter';
import { CompanyDays } from '../tenancy/company-days';

const COLUMNS = `a.id, a.action, a.user_id, u.name AS user_name, a.subject_type, a.subject_id, a.details, a.address,
  a.request_id, a.inserted_at`;
/** The log stores ids only; names are joined when it is read, so that they can still be corrected. */
const FROM = 'audit_log a LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id';

@Injectable()
export class AuditList {
  constructor(
    private readonly lists: ListQuery,
    private readonly days: CompanyDays,
  ) {}

  async page(tenantId: string, query: AuditListQuery): Promise<Page<AuditEntryDto>> {
    const { from, until } = await this.days.range(tenantId, query);
    const filter = new Filter()
      .and('a.tenant_id = ?', tenantId)
      .andIf('a.user_id = ?', query.user_id)
      .andIf('a.action = ?', query.action)
      .andIf('a.subject_type = ?', query.subject_type)
      .andIf('a.subject_id = ?', query.subject_id)
      .andIf('a.address = ?', query.address)
      .andIf('a.inserted_at >= ?', from)
      .andIf('a.inserted_at < ?', until);
    return this.lists.page<AuditEntryDto>(
      tenantId,
      {
        select: COLUMNS,
        from: FROM,
        countFrom: 'audit_log a',
        filter,
        sortable: AUDIT_SORT_COLUMNS,
        indexedSorts: ['inserted_at'],
        id: 'a.id',
      },
      query,
    );
  }
}
