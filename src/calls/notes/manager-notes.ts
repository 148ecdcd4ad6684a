import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { invalidField, unauthenticated, unprocessable } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import { toSingleLine } from '../../platform/text/single-line';
import { CallChanges } from '../machine/call-changes';
import { CallList } from '../staff/call-list';
import { ensureNotErased } from '../erased-call';
import { withEntry } from './manager-notes.rules';
import { CallTransitions } from '../machine/call-transitions';

/** What supervisors and above note about a call that is completed; entries are added, never changed. */
@Injectable()
export class ManagerNotes {
  constructor(
    private readonly database: Database,
    private readonly calls: CallList,
    private readonly transitions: CallTransitions,
    private readonly changes: CallChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds an entry. Those who do so at the same time take turns behind the call's lock, so none is lost.
   * @returns all entries
   * @throws 404; 422 for a text with nothing to read in it, or a call that is not completed, or erased
   */
  add(user: Principal, callId: string, text: string): Promise<string> {
    if (toSingleLine(text) === '') throw invalidField('notes', 'must not be empty');
    return this.database.tenant(user.tenant_id, async (tx) => {
      await this.calls.ensureVisible(tx, user, callId);
      const call = await this.transitions.lock(tx, user.tenant_id, callId);
      if (call.status !== 'completed') {
        throw unprocessable('not_completed', 'Only a completed call takes notes of managers.');
      }
      ensureNotErased(call);
      const author = await this.nameOf(tx, user);
      const manager_notes = withEntry(call.manager_notes, this.clock.now(), author, text);
      await this.changes.write(tx, call, { manager_notes });
      return manager_notes;
    });
  }

  /** As it is now: the session may remember one of a few seconds ago. */
  private async nameOf(tx: Transaction, { tenant_id, user_id }: Principal): Promise<string> {
    const author = await tx.one<{ name: string }>('SELECT name FROM users WHERE tenant_id = $1 AND id = $2', [
      tenant_id,
      user_id,
    ]);
    if (!author) throw unauthenticated();
    return author.name;
  }
}
