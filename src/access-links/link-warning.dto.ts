import { ChoiceField, IntegerField, ObjectField, TextField } from '../platform/http/input/fields';

export const LINK_WARNINGS = ['skills_not_covered'] as const;

/** Something that keeps a valid link from working as intended. */
export class LinkWarningDto {
  @ChoiceField(LINK_WARNINGS)
  code: (typeof LINK_WARNINGS)[number];

  @TextField({ example: 'No active member of the department has the skills that the link requires.' })
  detail: string;
}

export class BatchLinkWarningDto extends LinkWarningDto {
  @IntegerField({ example: 3, description: 'The position of the link in the batch, from 0' })
  index: number;
}

export class LinkMetaDto {
  @ObjectField(() => LinkWarningDto, { list: true })
  warnings: LinkWarningDto[];
}

export class LinkBatchMetaDto {
  @ObjectField(() => BatchLinkWarningDto, { list: true })
  warnings: BatchLinkWarningDto[];
}
