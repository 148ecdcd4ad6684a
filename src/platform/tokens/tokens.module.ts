import { Global, Module } from '@nestjs/common';
import { JwtModule, JwtSecretRequestType } from '@nestjs/jwt';
import { TokenKeys } from './token-keys';
import { TokensService } from './tokens.service';

@Global()
@Module({ providers: [TokenKeys], exports: [TokenKeys] })
class TokenKeysModule {}

@Global()
@Module({
  imports: [
    TokenKeysModule,
    JwtModule.registerAsync({
      inject: [TokenKeys],
      useFactory: (keys: TokenKeys) => ({
        secretOrKeyProvider: (type, token) =>
          type === JwtSecretRequestType.SIGN ? keys.signing : keys.forToken(token as string),
      }),
    }),
  ],
  providers: [TokensService],
  exports: [TokensService],
})
export class TokensModule {}
