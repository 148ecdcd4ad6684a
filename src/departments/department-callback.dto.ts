import { BooleanField, IntegerField } from '../platform/http/input/fields';

const ENABLED = 'Waiting customers can ask to be called back';
const ATTEMPTS = 'Invitations before the call ends';
const WINDOW = 'Seconds to return after an invitation';

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
