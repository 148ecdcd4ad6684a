import { Injectable } from '@nestjs/common';
import {
  type UnjournalledErasure,
  UnjournalledErasures,
} from '../../customers/erasures/unjournalled-erasures';
import { type StorageReport, StorageVerifier } from './storage-verifier';

export interface StorageCheckReport extends StorageReport {
  /** Erasures that the journal lacks: a restored database would not repeat them. */
  unjournalled: UnjournalledErasure[];
}

/** Compares the database with the storage. */
@Injectable()
export class StorageCheck {
  constructor(
    private readonly verifier: StorageVerifier,
    private readonly erasures: UnjournalledErasures,
  ) {}

  /**
   * @param options.repairJournal whether a running service is to write to the journal what it lacks
   * @throws StorageUnavailableError
   */
  async run({ repairJournal }: { repairJournal: boolean }): Promise<StorageCheckReport> {
    const report = await this.verifier.verify();
    const unjournalled = await this.erasures.find();
    if (repairJournal) await this.erasures.journalAgain(unjournalled);
    return { ...report, unjournalled };
  }
}
