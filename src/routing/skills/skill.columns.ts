import { type ColumnsOf, plainColumns } from '../../platform/database/columns';
import type { SkillDto } from './skill.dto';

/** The columns of `skills s`. */
export const SKILL_COLUMNS: ColumnsOf<SkillDto> = plainColumns('s', [
  'id',
  'name',
  'description',
  'inserted_at',
  'updated_at',
]);
