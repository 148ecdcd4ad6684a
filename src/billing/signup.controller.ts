import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../platform/access/public.decorator';
import { ApiData } from '../platform/http/openapi/openapi.decorators';
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
  @ApiOperation({ summary: 'Check that a document is valid and not in use' })
  @ApiData(ValidDocumentDto)
  validate(@Body() input: ValidateDocumentDto): Promise<ValidDocumentDto> {
    return this.signup.validateDocument(input);
  }

  @Post('register')
  @ApiOperation({ summary: 'Register a company and its owner' })
  @ApiData(RegistrationDto, { status: 201 })
  register(@Body() input: RegisterDto): Promise<RegistrationDto> {
    return this.signup.register(input);
  }
}
