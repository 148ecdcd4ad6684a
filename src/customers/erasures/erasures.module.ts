import { Module } from '@nestjs/common';
import { ErasureFollowUp } from './erasure-follow-up';
import { ErasureJournal } from './erasure-journal';
import { ErasureReader } from './erasure-reader';
import { ErasureRecords } from './erasure-records';
import { ReceiptKeys } from './receipt-keys';

/** Erasures, their journal and receipts without routes: for the service and the operator's commands. */
@Module({
  providers: [ErasureFollowUp, ErasureJournal, ErasureReader, ErasureRecords, ReceiptKeys],
  exports: [ErasureJournal, ErasureReader, ErasureRecords, ReceiptKeys],
})
export class ErasuresModule {}
