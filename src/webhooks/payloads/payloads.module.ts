import { Module } from '@nestjs/common';
import { PayloadRecords } from './payload-records';
import { WebhookReference } from './webhook-reference';

@Module({ providers: [PayloadRecords, WebhookReference], exports: [PayloadRecords] })
export class PayloadsModule {}
