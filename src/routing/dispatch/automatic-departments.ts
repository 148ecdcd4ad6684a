import { Injectable } from '@nestjs/common';
import { DepartmentUpdated } from '../../departments/department.events';
import { RefreshingCache } from '../../platform/cache/refreshing-cache';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { OnCommit } from '../../platform/events/listeners';

interface Department {
  id: string;
  is_automatic: boolean;
}

const TTL_MS = 4000;
const REFRESH_MS = 3000;

/**
 * Whether departments offer their calls, at most 4 s old: news of other departments are ignored without a query. Nothing
 * is decided from it, and the sweep finds what a change on another instance makes it miss.
 */
@Injectable()
export class AutomaticDepartments {
  private readonly departments: RefreshingCache<Department>;

  constructor(
    private readonly database: Database,
    clock: Clock,
  ) {
    this.departments = new RefreshingCache({
      max: 50_000,
      ttlMs: TTL_MS,
      refreshMs: REFRESH_MS,
      clock,
      readAll: (ids) => this.readAll(ids),
    });
  }

  async has(departmentId: string): Promise<boolean> {
    return (await this.departments.read(departmentId))?.is_automatic ?? false;
  }

  @OnCommit(DepartmentUpdated)
  onUpdated({ subject_id }: DepartmentUpdated): void {
    this.departments.delete(subject_id);
  }

  private async readAll(ids: string[]): Promise<Map<string, Department>> {
    const [departments] = await this.database.readSystem<[Department]>([
      {
        text: `SELECT id, active AND routing = 'automatic' AS is_automatic FROM departments WHERE id = ANY ($1)`,
        values: [ids],
      },
    ]);
    return new Map(departments.map((department) => [department.id, department]));
  }
}
