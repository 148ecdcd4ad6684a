import { IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { naturalOrder } from '../platform/database/natural-order';
import {
  BooleanField,
  IntegerField,
  PatternField,
  TextField,
  TimestampField,
  UuidField,
} from '../platform/http/input/fields';
import { UpdateType } from '../platform/http/input/update-type';
import { pageQuery } from '../platform/http/lists/pagination';
import { toSlug } from '../tenancy/slug';
import { BooleanFilter, IdFilter, SearchFilter } from '../platform/http/lists/query-filters';
import { DepartmentOverflowFields, DepartmentOverflowInput } from './department-overflow.dto';
import { DepartmentCallbackFields, DepartmentCallbackInput } from './department-callback.dto';
import { DepartmentRoutingFields, DepartmentRoutingInput } from './department-routing.dto';
import { DepartmentHoursFields, DepartmentHoursInput } from './hours/opening-hours.dto';

const IDENTIFIER_PATTERN = /^[a-z0-9_-]+$/;
const IDENTIFIER_MESSAGE = 'must contain a letter or digit';

/** "Suporte Geral 1" → "suporte-geral-1"; an identifier that matches the pattern, or gives no slug, stays as it is. */
function normalizeIdentifier(value: unknown): unknown {
  return typeof value === 'string' && !IDENTIFIER_PATTERN.test(value) ? toSlug(value) || value : value;
}

class DepartmentInput {
  @TextField({ example: 'Suporte Técnico' })
  name: string;

  @PatternField(IDENTIFIER_PATTERN, IDENTIFIER_MESSAGE, {
    optional: true,
    example: 'suporte-tecnico',
    description:
      'Unique in the tenant; generated from the name when omitted. Kept as sent if it has only a-z, 0-9, _ and -, otherwise converted to a slug',
  })
  @Transform(({ value }: { value: unknown }) => normalizeIdentifier(value))
  identifier?: string | null;

  @TextField({ max: 2000, optional: true, example: 'Help with the product' })
  description?: string | null;

  @UuidField({ optional: true, description: "The tenant's own grouping of departments" })
  sector_id?: string | null;

  @IntegerField({ min: 1, max: 100_000, optional: true, default: 20, example: 20 })
  max_queue_size?: number | null;

  @IntegerField({
    min: 1,
    max: 86_400,
    optional: true,
    default: 300,
    example: 300,
    description: 'Seconds; waiting calls keep the limit they joined with',
  })
  max_wait_time?: number | null;
}

export class CreateDepartmentDto extends IntersectionType(
  DepartmentInput,
  DepartmentRoutingInput,
  DepartmentHoursInput,
  DepartmentOverflowInput,
  DepartmentCallbackInput,
) {}

export class UpdateDepartmentDto extends UpdateType(CreateDepartmentDto, [
  'identifier',
  'max_queue_size',
  'max_wait_time',
  'routing',
  'offer_timeout',
  'wrap_up_time',
  'max_unanswered',
  'agent_selection',
  'preferred_agent_wait',
  'priority_step',
  'on_close',
  'callback_enabled',
  'callback_attempts',
  'callback_window',
]) {
  @BooleanField({
    optional: true,
    nullable: false,
    description: 'Links to an inactive department are invalid; waiting calls stay in the queue',
  })
  active?: boolean | null;
}

class DepartmentFields {
  @UuidField()
  id: string;

  @TextField({ example: 'Suporte Técnico' })
  name: string;

  @TextField({ example: 'suporte-tecnico' })
  identifier: string;

  @TextField({ optional: true, example: 'Help with the product' })
  description: string | null;

  @BooleanField()
  active: boolean;

  @UuidField({ optional: true })
  sector_id: string | null;

  @IntegerField({ example: 20 })
  max_queue_size: number;

  @IntegerField({ example: 300, description: 'Seconds' })
  max_wait_time: number;
}

export class DepartmentDto extends IntersectionType(
  DepartmentFields,
  DepartmentRoutingFields,
  DepartmentHoursFields,
  DepartmentOverflowFields,
  DepartmentCallbackFields,
) {
  @IntegerField({ example: 0 })
  user_count: number;

  @TimestampField()
  inserted_at: string;

  @TimestampField()
  updated_at: string;
}

export const DEPARTMENT_SORTABLE = {
  id: 'd.id',
  name: naturalOrder('d.name'),
  identifier: 'd.identifier',
  description: 'd.description',
  active: 'd.active',
  sector_id: 'd.sector_id',
  max_queue_size: 'd.max_queue_size',
  max_wait_time: 'd.max_wait_time',
  routing: 'd.routing',
  offer_timeout: 'd.offer_timeout',
  wrap_up_time: 'd.wrap_up_time',
  max_unanswered: 'd.max_unanswered',
  agent_selection: 'd.agent_selection',
  skill_relax_after: 'd.skill_relax_after',
  preferred_agent_wait: 'd.preferred_agent_wait',
  priority_step: 'd.priority_step',
  closed_message: 'd.closed_message',
  on_close: 'd.on_close',
  overflow_after: 'd.overflow_after',
  overflow_department_id: 'd.overflow_department_id',
  callback_enabled: 'd.callback_enabled',
  callback_attempts: 'd.callback_attempts',
  callback_window: 'd.callback_window',
  user_count: 'user_count',
  inserted_at: 'd.inserted_at',
  updated_at: 'd.updated_at',
} as const;

const SORT_COLUMNS = Object.keys(DEPARTMENT_SORTABLE) as (keyof typeof DEPARTMENT_SORTABLE)[];

export class DepartmentListQuery extends pageQuery(SORT_COLUMNS, { sort_by: 'name', sort_order: 'asc' }) {
  @IdFilter()
  sector_id?: string;

  @BooleanFilter()
  active?: boolean;

  @SearchFilter('Part of the name')
  search?: string;
}
