import type { Type } from '@nestjs/common';
import { ApiProperty, PartialType } from '@nestjs/swagger';

/**
 * The body of an update: the fields of a create body, all optional.
 * @param notNull fields for which null requests a generated or default value on creation, but is refused in an update
 */
export function UpdateType<Body extends object>(
  body: Type<Body>,
  notNull: readonly (keyof Body & string)[] = [],
): Type<Partial<Body>> {
  const update = PartialType(body);
  for (const field of notNull)
    ApiProperty({ nullable: false, required: false })(update.prototype as object, field);
  return update;
}
