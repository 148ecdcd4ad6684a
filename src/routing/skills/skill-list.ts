import { Injectable } from '@nestjs/common';
import { selectList } from '../../platform/database/columns';
import { Database } from '../../platform/database/database';
import { Filter } from '../../platform/database/filter';
import { ListQuery } from '../../platform/database/list-query';
import type { Page } from '../../platform/database/page';
import { notFound } from '../../platform/http/errors/api-error';
import { searchPattern } from '../../platform/text/search-pattern';
import { SKILL_COLUMNS } from './skill.columns';
import { SKILL_SORTABLE, type SkillDto, type SkillListQuery } from './skill.dto';

const COLUMNS = selectList(SKILL_COLUMNS);

@Injectable()
export class SkillList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
  ) {}

  page(tenantId: string, query: SkillListQuery): Promise<Page<SkillDto>> {
    const filter = new Filter()
      .and('s.tenant_id = ?', tenantId)
      .andSearch('s.name ILIKE ?', searchPattern(query.search));
    return this.lists.page<SkillDto>(
      tenantId,
      {
        select: COLUMNS,
        from: 'skills s',
        filter,
        sortable: SKILL_SORTABLE,
        indexedSorts: ['name'],
        id: 's.id',
      },
      query,
    );
  }

  /** @throws 404 */
  async get(tenantId: string, id: string): Promise<SkillDto> {
    const [rows] = await this.database.readTenant<[SkillDto]>(tenantId, [
      {
        text: `SELECT ${COLUMNS} FROM skills s WHERE s.tenant_id = $1 AND s.id = $2`,
        values: [tenantId, id],
      },
    ]);
    const skill = rows[0];
    if (!skill) throw notFound('Skill');
    return skill;
  }
}
