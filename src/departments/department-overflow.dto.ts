import { IntegerField, UuidField } from '../platform/http/input/fields';

const DAY_SECONDS = 86_400;

const OVERFLOW_AFTER =
  'Seconds of waiting after which a call also waits in the line of the overflow department; null: never';
const OVERFLOW_DEPARTMENT =
  'The other department whose members can take calls that have waited for overflow_after; null: none';

/** When the calls of a new department overflow, and to which one. Both are needed; each of them as null ends it. */
export class DepartmentOverflowInput {
  @IntegerField({ max: DAY_SECONDS, optional: true, example: 120, description: OVERFLOW_AFTER })
  overflow_after?: number | null;

  @UuidField({ optional: true, example: null, description: OVERFLOW_DEPARTMENT })
  overflow_department_id?: string | null;
}

/** When the calls of a department overflow, and to which one. */
export class DepartmentOverflowFields {
  @IntegerField({ optional: true, example: 120, description: OVERFLOW_AFTER })
  overflow_after: number | null;

  @UuidField({ optional: true, example: null, description: OVERFLOW_DEPARTMENT })
  overflow_department_id: string | null;
}
