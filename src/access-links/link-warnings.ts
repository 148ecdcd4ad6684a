import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { Enveloped } from '../platform/http/enveloped';
import type { AccessLinkDto } from './access-link.dto';
import type { LinkBatchMetaDto, LinkMetaDto, LinkWarningDto } from './link-warning.dto';

const SKILLS_NOT_COVERED: LinkWarningDto = {
  code: 'skills_not_covered',
  detail: 'No active member of the department has the skills that the link requires.',
};

/** Those of the links ($2) for which no active member of the department has all skills at the required levels. */
const UNCOVERED_SQL = `SELECT l.id FROM access_links l
  WHERE l.tenant_id = $1 AND l.id = ANY ($2::uuid[]) AND NOT EXISTS (
    SELECT FROM department_members m JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id
    WHERE m.department_id = l.department_id AND u.active AND NOT EXISTS (
      SELECT FROM access_link_skills required
      WHERE required.access_link_id = l.id AND NOT EXISTS (
        SELECT FROM user_skills s
        WHERE s.user_id = m.user_id AND s.skill_id = required.skill_id AND s.level >= required.min_level)))`;

/** Warns about links whose calls require skills that keep every agent of the department from being offered them. */
@Injectable()
export class LinkWarnings {
  constructor(private readonly database: Database) {}

  /** The link, with `meta.warnings` if there is any. */
  async addTo(
    tenantId: string,
    link: AccessLinkDto,
  ): Promise<AccessLinkDto | Enveloped<AccessLinkDto, LinkMetaDto>> {
    const [index] = await this.findUncovered(tenantId, [link]);
    return index === undefined ? link : new Enveloped(link, { warnings: [SKILLS_NOT_COVERED] });
  }

  /** The links, with `meta.warnings` if there is any. */
  async addToAll(
    tenantId: string,
    links: AccessLinkDto[],
  ): Promise<AccessLinkDto[] | Enveloped<AccessLinkDto[], LinkBatchMetaDto>> {
    const indexes = await this.findUncovered(tenantId, links);
    if (indexes.length === 0) return links;
    return new Enveloped(links, { warnings: indexes.map((index) => ({ ...SKILLS_NOT_COVERED, index })) });
  }

  /**
   * The indexes of the active links whose skills no active member of the department has. Links with the same department
   * and skills are checked once, because the members are read for each.
   */
  private async findUncovered(tenantId: string, links: AccessLinkDto[]): Promise<number[]> {
    const candidates = links
      .map((link, index) => ({ link, index }))
      .filter(({ link }) => link.status === 'active' && link.skills.length > 0);
    if (candidates.length === 0) return [];
    const groups = [...Map.groupBy(candidates, ({ link }) => requirementsOf(link)).values()];
    const [rows] = await this.database.readTenant<[{ id: string }]>(tenantId, [
      { text: UNCOVERED_SQL, values: [tenantId, groups.map(([first]) => first?.link.id)] },
    ]);
    const uncovered = new Set(rows.map(({ id }) => id));
    return groups
      .filter(([first]) => first && uncovered.has(first.link.id))
      .flatMap((group) => group.map(({ index }) => index))
      .toSorted((one, next) => one - next);
  }
}

/** Equal for links with the same department and skills, which are sorted by their ids. */
const requirementsOf = ({ department_id, skills }: AccessLinkDto): string =>
  JSON.stringify([department_id, skills]);
