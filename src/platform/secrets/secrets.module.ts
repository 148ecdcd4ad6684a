import { Global, Module } from '@nestjs/common';
import { SecretResealer } from './secret-resealer';
import { SecretBox } from './secret-box';

@Global()
@Module({ providers: [SecretResealer, SecretBox], exports: [SecretResealer, SecretBox] })
export class SecretsModule {}
