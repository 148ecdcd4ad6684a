import { BooleanField, IntegerField } from '../platform/http/input/fields';

const ENABLED = 'Whether waiting customers can request a callback that keeps their place';
const ATTEMPTS = 'How many times a customer is invited to return before the call ends';
const WINDOW = 'Seconds that an invited customer has to return';

/** The callbacks of a new department. Null requests the default value. */
export class DepartmentCallbackInput {
  @BooleanField({ optional: true, default: false, example: true, description: ENABLED })
  callback_enabled?: boolean | null;

  @IntegerField({ min: 1, max: 5, optional: true, default: 2, example: 2, description: ATTEMPTS })
  callback_attempts?: number | null;

  @IntegerField({ min: 60, max: 3600, optional: true, default: 600, example: 600, description: WINDOW })
  callback_window?: number | null;
}

/** The callbacks of a department. */
export class DepartmentCallbackFields {
  @BooleanField({ example: false, description: ENABLED })
  callback_enabled: boolean;

  @IntegerField({ example: 2, description: ATTEMPTS })
  callback_attempts: number;

  @IntegerField({ example: 600, description: WINDOW })
  callback_window: number;
}
