import { Injectable } from '@nestjs/common';

interface OpeningChange {
  tenantId: string;
  departmentId: string;
  at: Date;
}

/** When the departments whose queues this instance has shown to staff open or close next. */
@Injectable()
export class OpeningChanges {
  private readonly changes = new Map<string, OpeningChange>();

  /** @param at null if the department neither opens nor closes */
  expect(tenantId: string, departmentId: string, at: Date | null): void {
    if (at) this.changes.set(departmentId, { tenantId, departmentId, at });
    else this.changes.delete(departmentId);
  }

  /** Removes changes whose time has come. @returns them, at most `max` */
  takeDue(now: Date, max: number): OpeningChange[] {
    const due: OpeningChange[] = [];
    for (const change of this.changes.values()) {
      if (due.length === max) break;
      if (change.at <= now) due.push(change);
    }
    for (const { departmentId } of due) this.changes.delete(departmentId);
    return due;
  }
}
