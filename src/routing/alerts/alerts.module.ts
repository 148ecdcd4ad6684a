import { Module } from '@nestjs/common';
import { AlertRetention } from './alert-retention';
import { QueueAlerts } from './queue-alerts';

@Module({ providers: [AlertRetention, QueueAlerts] })
export class AlertsModule {}
