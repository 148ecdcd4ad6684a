import { MAX_SKILL_LEVEL } from '../identity/users/user.dto';
import { IntegerField, UuidField } from '../platform/http/input/fields';

/** The skills that calls through one link can require. */
export const MAX_REQUIRED_SKILLS = 20;

/** A skill that an agent needs for a call, and its lowest level. */
export class RequiredSkillDto {
  @UuidField({ example: '8f5a1b9e-6a0d-4c3c-9a51-0b1f8f4c2d77' })
  skill_id: string;

  @IntegerField({ min: 1, max: MAX_SKILL_LEVEL, example: 3 })
  min_level: number;
}

/** The same in requests: schemas of responses have no limits. */
export class RequiredSkillInputDto extends RequiredSkillDto {}

/** The skills that a link `l` requires, as JSON (RequiredSkillDto[]). */
export const LINK_SKILLS_SQL = `COALESCE((
  SELECT jsonb_agg(jsonb_build_object('skill_id', s.skill_id, 'min_level', s.min_level) ORDER BY s.skill_id)
  FROM access_link_skills s WHERE s.access_link_id = l.id), '[]')`;
