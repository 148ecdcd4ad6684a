import { Injectable } from '@nestjs/common';
import { selectList } from '../../platform/database/columns';
import { Database } from '../../platform/database/database';
import { naturalOrder } from '../../platform/database/natural-order';
import { notFound } from '../../platform/http/errors/api-error';
import { Filter } from '../../platform/database/filter';
import { ListQuery } from '../../platform/database/list-query';
import type { Page } from '../../platform/database/page';
import { searchPattern } from '../../platform/text/search-pattern';
import { USER_COLUMNS } from './user.columns';
import type { UserDto, UserListQuery } from './user.dto';

const COLUMNS = selectList(USER_COLUMNS);
const FROM = 'users u JOIN user_presence p ON p.user_id = u.id';
const SORTABLE = {
  id: 'u.id',
  name: naturalOrder('u.name'),
  email: 'u.email',
  phone: 'u.phone',
  role: 'u.role',
  active: 'u.active',
  mfa_enabled: 'u.mfa_enabled',
  presence: 'p.presence',
  last_login_at: 'u.last_login_at',
  inserted_at: 'u.inserted_at',
  updated_at: 'u.updated_at',
};

@Injectable()
export class UserList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
  ) {}

  page(tenantId: string, query: UserListQuery): Promise<Page<UserDto>> {
    const filter = new Filter()
      .and('u.tenant_id = ?', tenantId)
      .andIf('u.role = ?', query.role)
      .andIf('u.active = ?', query.active)
      .andIf(
        'EXISTS (SELECT FROM department_members m WHERE m.user_id = u.id AND m.department_id = ?)',
        query.department_id,
      )
      .andSearch('(u.name ILIKE ? OR u.email ILIKE ?)', searchPattern(query.search));
    const source = {
      select: COLUMNS,
      from: FROM,
      countFrom: 'users u',
      filter,
      sortable: SORTABLE,
      id: 'u.id',
    };
    return this.lists.page<UserDto>(tenantId, source, query);
  }

  /** @throws 404, also for a user of another tenant */
  async get(tenantId: string, id: string): Promise<UserDto> {
    const [rows] = await this.database.readTenant<[UserDto]>(tenantId, [
      { text: `SELECT ${COLUMNS} FROM ${FROM} WHERE u.tenant_id = $1 AND u.id = $2`, values: [tenantId, id] },
    ]);
    const user = rows[0];
    if (!user) throw notFound('User');
    return user;
  }
}
