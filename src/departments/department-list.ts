import { Injectable } from '@nestjs/common';
import { selectList } from '../platform/database/columns';
import { Database } from '../platform/database/database';
import { naturalOrder } from '../platform/database/natural-order';
import { notFound } from '../platform/http/errors/api-error';
import { Filter } from '../platform/database/filter';
import { ListQuery } from '../platform/database/list-query';
import type { Page } from '../platform/database/page';
import { searchPattern } from '../platform/text/search-pattern';
import { DEPARTMENT_COLUMNS } from './department.columns';
import { DEPARTMENT_SORTABLE, type DepartmentDto, type DepartmentListQuery } from './department.dto';
import type { MemberDto } from './member.dto';

const COLUMNS = selectList(DEPARTMENT_COLUMNS);

@Injectable()
export class DepartmentList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
  ) {}

  page(tenantId: string, query: DepartmentListQuery): Promise<Page<DepartmentDto>> {
    const filter = new Filter()
      .and('d.tenant_id = ?', tenantId)
      .andIf('d.sector_id = ?', query.sector_id)
      .andIf('d.active = ?', query.active)
      .andSearch('d.name ILIKE ?', searchPattern(query.search));
    return this.lists.page<DepartmentDto>(
      tenantId,
      {
        select: COLUMNS,
        from: 'departments d',
        filter,
        sortable: DEPARTMENT_SORTABLE,
        indexedSorts: ['name'],
        id: 'd.id',
      },
      query,
    );
  }

  /** @throws 404 */
  async get(tenantId: string, id: string): Promise<DepartmentDto> {
    const [rows] = await this.database.readTenant<[DepartmentDto]>(tenantId, [
      {
        text: `SELECT ${COLUMNS} FROM departments d WHERE d.tenant_id = $1 AND d.id = $2`,
        values: [tenantId, id],
      },
    ]);
    const department = rows[0];
    if (!department) throw notFound('Department');
    return department;
  }

  /** @throws 404 */
  async members(tenantId: string, id: string): Promise<MemberDto[]> {
    const [departments, members] = await this.database.readTenant<[object, MemberDto]>(tenantId, [
      { text: 'SELECT FROM departments WHERE tenant_id = $1 AND id = $2', values: [tenantId, id] },
      {
        text: `SELECT u.id, u.name, u.email, u.role, u.active
               FROM department_members m JOIN users u ON u.id = m.user_id
               WHERE m.tenant_id = $1 AND m.department_id = $2 ORDER BY ${naturalOrder('u.name')}, u.id`,
        values: [tenantId, id],
      },
    ]);
    if (departments.length === 0) throw notFound('Department');
    return members;
  }
}
