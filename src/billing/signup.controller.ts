import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../platform/http/public.decorator';
import { ApiData } from '../platform/http/open-api.decorators';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { RegisterDto, RegisteredDto } from './signup.dto';
import { Signup } from './signup';

@ApiTags('Signup')
@Public()
@RateLimit('public')
@Controller('api/signup')
export class SignupController {
  constructor(private readonly signup: Signup) {}

  @Post('register')
  @ApiOperation({ summary: 'Register a company and its owner' })
  @ApiData(RegisteredDto, { status: 201 })
  register(@Body() input: RegisterDto): Promise<RegisteredDto> {
    return this.signup.register(input);
  }
}
