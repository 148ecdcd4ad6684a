import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../platform/http/public.decorator';
import { cleanInput } from '../platform/http/clean-input';
import { notFound, unauthenticated, unprocessable } from '../platform/http/api-error';
import { BooleanField } from '../platform/http/fields';
import { ApiData, ApiFailure } from '../platform/http/open-api.decorators';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { Asaas } from './asaas';
import type { PaymentGateway } from './payment-gateway';
import { PaymentNotifications } from './payment-notifications';

class ReceivedDto {
  @BooleanField({ example: true })
  received: boolean;
}

@ApiTags('Payment gateway')
@Public()
@RateLimit('gateway')
@Controller('api/webhooks')
export class GatewayController {
  private readonly gateways: PaymentGateway[];

  constructor(
    private readonly notifications: PaymentNotifications,
    asaas: Asaas,
  ) {
    this.gateways = [asaas];
  }

  @Post(':gateway')
  @HttpCode(200)
  @ApiOperation({ summary: 'Notification of a payment gateway' })
  @ApiHeader({ name: 'asaas-access-token', description: 'The token agreed with the gateway', required: true })
  @ApiBody({
    schema: {
      type: 'object',
      example: {
        id: 'evt_05b708f961d739ea7eba7e4db318f621&368604920',
        event: 'PAYMENT_CONFIRMED',
        dateCreated: '2026-06-12 16:45:03',
        payment: {
          id: 'pay_080225913252',
          externalReference: '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11',
          value: 99,
        },
      },
    },
  })
  @ApiData(ReceivedDto)
  @ApiFailure(
    401,
    'The token is wrong or missing',
    'invalid_gateway_token',
    'The gateway token is wrong or missing.',
  )
  async receive(@Param('gateway') name: string, @Req() request: Request): Promise<ReceivedDto> {
    const gateway = this.gateways.find((candidate) => candidate.name === name && candidate.enabled);
    if (!gateway) throw notFound('Payment gateway');
    if (!gateway.authenticates(request.headers)) {
      throw unauthenticated('The gateway token is wrong or missing.', 'invalid_gateway_token');
    }
    const body = cleanNotification(request.body);
    const notification = gateway.read(body);
    if (!notification) throw unprocessable('validation_failed', 'This is no notification of the gateway.');
    await this.notifications.receive(gateway.name, notification, body);
    return { received: true };
  }
}

function cleanNotification(body: unknown): unknown {
  try {
    return cleanInput(body);
  } catch {
    throw unprocessable('validation_failed', 'The notification contains NUL or is nested too deeply.');
  }
}
