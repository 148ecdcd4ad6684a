import { Global, Module } from '@nestjs/common';
import { ResealSecrets } from './reseal-secrets';
import { SecretBox } from './secret-box';

@Global()
@Module({ providers: [ResealSecrets, SecretBox], exports: [ResealSecrets, SecretBox] })
export class SecretsModule {}
