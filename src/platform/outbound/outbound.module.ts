import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { OutboundHttp } from './outbound-http';

@Module({
  providers: [
    {
      provide: OutboundHttp,
      inject: [CONFIG],
      useFactory: ({ webhookAllowedPrivateHosts }: Config) =>
        new OutboundHttp({ allowedPrivateHosts: webhookAllowedPrivateHosts }),
    },
  ],
  exports: [OutboundHttp],
})
export class OutboundModule {}
