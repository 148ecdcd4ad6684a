import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { invalidField, unauthenticated, unprocessable } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import { toSingleLine } from '../../platform/text/single-line';
import { UpdateCall } from '../machine/update-call';
import { CallAccess } from '../staff/call-access';
import { ensureNotErased } from '../erased-call';
import { appendEntry } from './manager-notes.rules';

/** Notes of supervisors and above on completed calls. Entries are appended, never changed. */
@Injectable()
export class ManagerNotes {
  constructor(
    private readonly database: Database,
    private readonly access: CallAccess,
    private readonly changes: UpdateCall,
    private readonly clock: Clock,
  ) {}

  /**
   * Appends an entry. The call's row lock serialises concurrent requests, so no entry is lost.
   * @returns all entries
   * @throws 404; 422 for a blank text, or a call that is not completed or was erased
   */
  add(user: Principal, callId: string, text: string): Promise<string> {
    if (toSingleLine(text) === '') throw invalidField('notes', 'must not be empty');
    return this.database.tenant(user.tenant_id, async (tx) => {
      const call = await this.access.lockVisible(tx, user, callId);
      if (call.status !== 'completed') {
        throw unprocessable('not_completed', 'Manager notes can be added only to a completed call.');
      }
      ensureNotErased(call);
      const author = await this.nameOf(tx, user);
      const manager_notes = appendEntry(call.manager_notes, this.clock.now(), author, text);
      await this.changes.write(tx, call, { manager_notes });
      return manager_notes;
    });
  }

  /** The current name: the one in the session may be a few seconds old. */
  private async nameOf(tx: Transaction, { tenant_id, user_id }: Principal): Promise<string> {
    const author = await tx.one<{ name: string }>('SELECT name FROM users WHERE tenant_id = $1 AND id = $2', [
      tenant_id,
      user_id,
    ]);
    if (!author) throw unauthenticated();
    return author.name;
  }
}
