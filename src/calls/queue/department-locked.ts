import { ConnectionLimitError } from '../../platform/database/connections/semaphore';

/** Another instance, or a change of the department, has the lock that its joins need. */
export class DepartmentLocked extends ConnectionLimitError {
  override readonly name = 'DepartmentLocked';
}
