import { MAX_SKILL_LEVEL } from '../../identity/users/user.dto';
import { naturalOrder } from '../../platform/database/natural-order';
import {
  IntegerField,
  ObjectListField,
  TextField,
  TimestampField,
  UuidField,
} from '../../platform/http/input/fields';
import { UpdateType } from '../../platform/http/input/update-type';
import { pageQuery } from '../../platform/http/lists/pagination';
import { SearchFilter } from '../../platform/http/lists/query-filters';

/** The skills of one user. */
export const MAX_USER_SKILLS = 50;

export class CreateSkillDto {
  @TextField({ example: 'English', description: 'Unique in the tenant, ignoring case' })
  name: string;

  @TextField({ max: 2000, optional: true, example: 'Speaks English with customers' })
  description?: string | null;
}

export class UpdateSkillDto extends UpdateType(CreateSkillDto) {}

export class SkillDto {
  @UuidField()
  id: string;

  @TextField({ example: 'English' })
  name: string;

  @TextField({ optional: true, example: 'Speaks English with customers' })
  description: string | null;

  @TimestampField()
  inserted_at: string;

  @TimestampField()
  updated_at: string;
}

export class SkillLevelDto {
  @UuidField({ example: '8f5a1b9e-6a0d-4c3c-9a51-0b1f8f4c2d77' })
  skill_id: string;

  @IntegerField({ min: 1, max: MAX_SKILL_LEVEL, example: 3 })
  level: number;
}

export class ReplaceUserSkillsDto {
  @ObjectListField(() => SkillLevelDto, {
    max: MAX_USER_SKILLS,
    key: 'skill_id',
    example: [],
    description: `All skills of the user, at most ${MAX_USER_SKILLS}; an empty list removes all`,
  })
  skills: SkillLevelDto[];
}

export const SKILL_SORTABLE = {
  id: 's.id',
  name: naturalOrder('s.name'),
  description: 's.description',
  inserted_at: 's.inserted_at',
  updated_at: 's.updated_at',
} as const;

const SORT_COLUMNS = Object.keys(SKILL_SORTABLE) as (keyof typeof SKILL_SORTABLE)[];

export class SkillListQuery extends pageQuery(SORT_COLUMNS, { sort_by: 'name', sort_order: 'asc' }) {
  @SearchFilter('Part of the name')
  search?: string;
}
