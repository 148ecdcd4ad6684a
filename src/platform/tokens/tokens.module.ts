import { Global, Module } from '@nestjs/common';
import { JwtModule, JwtSecretRequestType } from '@nestjs/jwt';
import { CONFIG, type Config } from '../config/config';
import { TokenKeys } from './token-keys';
import { TokensService } from './tokens.service';

@Global()
@Module({
  imports: [
    JwtModule.registerAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => {
        const keys = new TokenKeys(config);
        return {
          secretOrKeyProvider: (type, token) =>
            type === JwtSecretRequestType.SIGN ? keys.signing : keys.forToken(token as string),
        };
      },
    }),
  ],
  providers: [TokenKeys, TokensService],
  exports: [TokenKeys, TokensService],
})
export class TokensModule {}
