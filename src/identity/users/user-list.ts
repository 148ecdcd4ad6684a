import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { selectList } from '../../platform/database/columns';
import { Database } from '../../platform/database/database';
import { naturalOrder } from '../../platform/database/natural-order';
import { notFound } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import { Filter } from '../../platform/database/filter';
import { ListQuery } from '../../platform/database/list-query';
import { Page } from '../../platform/database/page';
import { absolutePictureUrl } from '../../tenancy/pictures/picture-url';
import { searchPattern } from '../../platform/text/search-pattern';
import type { CurrentUserDto } from './current-user.dto';
import { USER_COLUMNS } from './user.columns';
import type { UserDto, UserListQuery } from './user.dto';

const COLUMNS = selectList(USER_COLUMNS);
const FROM = 'users u JOIN user_presence p ON p.user_id = u.id';
const SELECT_ME = `SELECT ${COLUMNS},
    jsonb_build_object('timezone', t.timezone, 'alert_longest_wait', t.alert_longest_wait,
      'alert_nobody_available', t.alert_nobody_available) AS tenant
  FROM ${FROM} JOIN tenants t ON t.id = u.tenant_id WHERE u.tenant_id = $1 AND u.id = $2`;
const SORTABLE = {
  id: 'u.id',
  name: naturalOrder('u.name'),
  email: 'u.email',
  phone: 'u.phone',
  role: 'u.role',
  active: 'u.active',
  invited: '(u.password_hash IS NULL)',
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
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async page(tenantId: string, query: UserListQuery): Promise<Page<UserDto>> {
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
    const { data, meta } = await this.lists.page<UserDto>(tenantId, source, query);
    return new Page(
      data.map((user) => this.withAddress(user)),
      query,
      meta.total_count,
    );
  }

  /** @throws 404, also for a user of another tenant */
  get(tenantId: string, id: string): Promise<UserDto> {
    return this.one<UserDto>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE u.tenant_id = $1 AND u.id = $2`,
      tenantId,
      id,
    );
  }

  /** @returns these users, in the order of their ids in the list */
  async getAll(tenantId: string, ids: string[]): Promise<UserDto[]> {
    const text = `SELECT ${COLUMNS} FROM ${FROM} WHERE u.tenant_id = $1 AND u.id = ANY ($2)
      ORDER BY array_position($2::uuid[], u.id)`;
    const [rows] = await this.database.readTenant<[UserDto]>(tenantId, [{ text, values: [tenantId, ids] }]);
    return rows.map((user) => this.withAddress(user));
  }

  /** @throws 404 if the tenant was erased a moment ago */
  async me({ tenant_id, user_id }: Principal): Promise<CurrentUserDto> {
    const me = await this.one<CurrentUserDto>(SELECT_ME, tenant_id, user_id);
    const { transcriptionModel, summaryModel } = this.config.ai ?? {};
    const generated = {
      has_transcripts: transcriptionModel !== undefined,
      has_summaries: summaryModel !== undefined,
    };
    return { ...me, tenant: { ...me.tenant, ...generated } };
  }

  /** With the address of the photo as clients get it. */
  private withAddress<Row extends Pick<UserDto, 'avatar_url'>>(user: Row): Row {
    return { ...user, avatar_url: absolutePictureUrl(user.avatar_url, this.config.publicUrl) };
  }

  private async one<Row extends UserDto>(text: string, tenantId: string, id: string): Promise<Row> {
    const [rows] = await this.database.readTenant<[Row]>(tenantId, [{ text, values: [tenantId, id] }]);
    const row = rows[0];
    if (!row) throw notFound('User');
    return this.withAddress(row);
  }
}
