import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { FolderTransport } from './folder-transport';
import { MAIL_TRANSPORT } from './mail-transport';
import { Mailer } from './mailer';
import { SmtpTransport } from './smtp-transport';

@Global()
@Module({
  providers: [
    Mailer,
    {
      provide: MAIL_TRANSPORT,
      inject: [CONFIG],
      useFactory: (config: Config) =>
        config.smtpUrl ? new SmtpTransport(config.smtpUrl) : new FolderTransport(config.dataDir),
    },
  ],
  exports: [Mailer],
})
export class MailModule {}
