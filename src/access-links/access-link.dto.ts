import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateNested } from 'class-validator';
import { naturalOrder } from '../platform/database/natural-order';
import {
  ChoiceField,
  IntegerField,
  ObjectField,
  ObjectListField,
  TextField,
  TimestampField,
  TimestampInputField,
  UuidField,
} from '../platform/http/input/fields';
import { SlicedList } from '../platform/http/input/dto-options';
import { DateFilter } from '../platform/http/lists/date-filter';
import { pageQuery } from '../platform/http/lists/pagination';
import { ChoiceFilter, IdFilter, SearchFilter } from '../platform/http/lists/query-filters';
import { MAX_REQUIRED_SKILLS, RequiredSkillDto, RequiredSkillInputDto } from './required-skill.dto';

export const LINK_STATUSES = ['active', 'scheduled', 'used', 'expired', 'cancelled'] as const;

export type LinkStatus = (typeof LINK_STATUSES)[number];

const MAX_PRIORITY = 9;
const PRIORITY = 'Each point is worth priority_step seconds of waiting, a setting of the department';
const SKILLS = 'The skills that an agent needs to be offered a call through the link';
const SKILLS_EXAMPLE = [{ skill_id: '8f5a1b9e-6a0d-4c3c-9a51-0b1f8f4c2d77', min_level: 3 }];

export class CreateAccessLinkDto {
  @UuidField()
  department_id: string;

  @UuidField({
    optional: true,
    description: 'Every call that joins through the link belongs to this customer',
  })
  customer_id?: string | null;

  @TextField({ optional: true, example: 'Link on the website' })
  label?: string | null;

  @IntegerField({ min: 1, optional: true, example: 100, description: 'Unlimited when omitted' })
  max_uses?: number | null;

  @TimestampInputField({ optional: true })
  expires_at?: string | null;

  @IntegerField({ max: MAX_PRIORITY, optional: true, default: 0, example: 0, description: PRIORITY })
  priority?: number | null;

  @ObjectListField(() => RequiredSkillInputDto, {
    max: MAX_REQUIRED_SKILLS,
    key: 'skill_id',
    optional: true,
    example: [],
    description: `${SKILLS}; at most ${MAX_REQUIRED_SKILLS}. None when omitted`,
  })
  skills?: RequiredSkillInputDto[] | null;
}

const MAX_BATCH_SIZE = 500;

@SlicedList('links')
export class AccessLinkBatchDto {
  @ObjectField(() => CreateAccessLinkDto, {
    list: true,
    description: `1 to ${MAX_BATCH_SIZE} links; fewer if they have so many skills that the body would be too large`,
    example: [{ department_id: '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11', label: 'Letter 1', max_uses: 1 }],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BATCH_SIZE)
  @ValidateNested({ each: true })
  links: CreateAccessLinkDto[];
}

export class AccessLinkDto {
  @UuidField()
  id: string;

  @TextField({ example: 'V1StGXR8_Z5jdHi6B-myTQ' })
  token: string;

  @TextField({ example: 'https://calls.example.com/c/V1StGXR8_Z5jdHi6B-myTQ' })
  url: string;

  @UuidField({ optional: true })
  department_id: string | null;

  @TextField({ example: 'Suporte Técnico' })
  department_name: string;

  @UuidField({ optional: true })
  customer_id: string | null;

  @TextField({ optional: true, example: 'Link on the website' })
  label: string | null;

  @ChoiceField(LINK_STATUSES, { description: '`scheduled` until `valid_from`' })
  status: LinkStatus;

  @IntegerField({ optional: true, example: 100, description: 'Null means unlimited' })
  max_uses: number | null;

  @IntegerField({ example: 0 })
  use_count: number;

  @TimestampField({
    optional: true,
    example: null,
    description: 'Set for links of appointments: 15 minutes before they start. Null means valid at once',
  })
  valid_from: string | null;

  @TimestampField({ optional: true })
  expires_at: string | null;

  @IntegerField({ example: 0, description: PRIORITY })
  priority: number;

  @ObjectField(() => RequiredSkillDto, {
    list: true,
    example: SKILLS_EXAMPLE,
    description: `${SKILLS}, sorted by skill_id`,
  })
  skills: RequiredSkillDto[];

  @UuidField({ optional: true, description: 'The user who created the link' })
  created_by: string | null;

  @TimestampField()
  inserted_at: string;
}

/**
 * A link's status depends on its row, its department `d` and the time, which is the query's parameter $1. The links of a deleted
 * department are cancelled in steps, and are invalid at once.
 */
export const LINK_STATUS_SQL = `CASE
  WHEN l.cancelled_at IS NOT NULL OR d.id IS NULL THEN 'cancelled'
  WHEN l.max_uses IS NOT NULL AND l.use_count >= l.max_uses THEN 'used'
  WHEN l.expires_at <= $1 THEN 'expired'
  WHEN l.valid_from > $1 THEN 'scheduled'
  ELSE 'active' END`;

/**
 * The department's name. The link keeps that of a deleted department: the name at the creation of the link, until the link is
 * cancelled in its turn; older links have none until then.
 */
export const LINK_DEPARTMENT_NAME_SQL = "COALESCE(d.name, l.department_name, '')";

export const LINK_SORTABLE = {
  id: 'l.id',
  token: 'l.token',
  url: 'l.token',
  department_id: 'd.id',
  department_name: naturalOrder(LINK_DEPARTMENT_NAME_SQL),
  customer_id: 'l.customer_id',
  label: naturalOrder('l.label'),
  status: 'status',
  max_uses: 'l.max_uses',
  use_count: 'l.use_count',
  valid_from: 'l.valid_from',
  expires_at: 'l.expires_at',
  priority: 'l.priority',
  created_by: 'l.created_by',
  inserted_at: 'l.inserted_at',
} as const;

const SORT_COLUMNS = Object.keys(LINK_SORTABLE) as (keyof typeof LINK_SORTABLE)[];

export class AccessLinkListQuery extends pageQuery(SORT_COLUMNS, {
  sort_by: 'inserted_at',
  sort_order: 'desc',
}) {
  @ChoiceFilter(LINK_STATUSES)
  status?: LinkStatus;

  @IdFilter()
  department_id?: string;

  @IdFilter()
  customer_id?: string;

  @DateFilter('Earliest inserted_at')
  date_from?: string;

  @DateFilter('Latest inserted_at; the whole day is included')
  date_to?: string;

  @SearchFilter('Part of the label')
  search?: string;
}
