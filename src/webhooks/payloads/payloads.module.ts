import { Module } from '@nestjs/common';
import { PayloadBuilder } from './payload-builder';
import { WebhookReference } from './webhook-reference';

@Module({ providers: [PayloadBuilder, WebhookReference], exports: [PayloadBuilder] })
export class PayloadsModule {}
