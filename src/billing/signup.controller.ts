import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../platform/access/access.decorators';
import { ApiData } from '../platform/http/openapi/openapi.decorators';
import { clientAddress } from '../platform/rate-limit/client-address';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { RegisterDto, RegistrationDto, ValidateDocumentDto, ValidDocumentDto } from './signup.dto';
import { SignupService } from './signup.service';

@ApiTags('Signup')
@Public()
@RateLimit('public')
@Controller('api/signup')
export class SignupController {
  constructor(private readonly signup: SignupService) {}

  @Post('validate-document')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Check that a document is valid and not in use',
    description:
      'After five documents in use within a minute, the client address gets 429 for every document until the minute ends.',
  })
  @ApiData(ValidDocumentDto)
  validate(@Body() input: ValidateDocumentDto, @Req() request: Request): Promise<ValidDocumentDto> {
    return this.signup.validateDocument(input, clientAddress(request));
  }

  @Post('register')
  @ApiOperation({ summary: 'Register a company and its owner' })
  @ApiData(RegistrationDto, { status: 201 })
  register(@Body() input: RegisterDto): Promise<RegistrationDto> {
    return this.signup.register(input);
  }
}
