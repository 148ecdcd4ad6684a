import { Global, Module } from '@nestjs/common';
import { ReceiptKeys } from './receipt-keys';

@Global()
@Module({ providers: [ReceiptKeys], exports: [ReceiptKeys] })
export class ReceiptsModule {}
