import { Controller, HttpCode, Inject, Param, Post, type RawBodyRequest, Req, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../platform/access/access.decorators';
import { badRequest, notFound, unauthenticated } from '../platform/http/errors/api-error';
import { BooleanField } from '../platform/http/input/fields';
import { readJsonBody, TooManyValuesError } from '../platform/http/input/json-body';
import { ApiData, ApiFailure } from '../platform/http/openapi/openapi.decorators';
import { RateLimiter } from '../platform/rate-limit/rate-limiter';
import { clientAddress } from '../platform/rate-limit/client-address';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { PAYMENT_GATEWAYS, type PaymentGateway } from './payment-gateway';
import { PaymentNotificationsService } from './payment-notifications.service';
import { toStorableJson } from './storable-json';

/** The largest notification that is stored. */
const MAX_BYTES = 1024 * 1024;

/** The largest notification whose signature is verified: anyone can send it. */
const MAX_SIGNED_BYTES = 16 * 1024;

class ReceivedDto {
  @BooleanField({ example: true })
  received: boolean;
}

/** Receives the notifications of payment gateways, each at a path with its name. */
@ApiTags('Payment gateway')
@Public()
@RateLimit('gateway')
@Controller('api/webhooks')
export class GatewayController {
  constructor(
    private readonly notifications: PaymentNotificationsService,
    private readonly rateLimiter: RateLimiter,
    @Inject(PAYMENT_GATEWAYS) private readonly gateways: PaymentGateway[],
  ) {}

  @Post(':gateway')
  @HttpCode(200)
  @ApiOperation({ summary: 'Notification of a payment gateway' })
  @ApiHeader({ name: 'asaas-access-token', description: 'Value of ASAAS_WEBHOOK_TOKEN', required: true })
  @ApiBody({
    description: "payment.externalReference is the tenant's id or slug",
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
  async receive(
    @Param('gateway') name: string,
    @Req() request: RawBodyRequest<Request>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReceivedDto> {
    const gateway = this.gateways.find((candidate) => candidate.name === name && candidate.enabled);
    if (!gateway) throw notFound('Payment gateway');
    if (gateway.signsBody) await this.readBody(request, response, MAX_SIGNED_BYTES);
    await this.authenticate(gateway, request);
    if (!gateway.signsBody) await this.readBody(request, response, MAX_BYTES);
    if (request.body === undefined)
      throw badRequest('The body must be JSON with the content type application/json.');
    const body = toStorableJson(request.body);
    await this.notifications.receive(gateway.name, gateway.read(body), body);
    return { received: true };
  }

  /** Reads the body; one with too many values, which no gateway sends, is kept as text. @throws as readJsonBody */
  private async readBody(request: RawBodyRequest<Request>, response: Response, limit: number): Promise<void> {
    try {
      await readJsonBody(request, response, limit);
    } catch (error) {
      if (!(error instanceof TooManyValuesError)) throw error;
      request.body = request.rawBody?.toString();
    }
  }

  /** @throws 401; 429 after too many failures from one address */
  private async authenticate(gateway: PaymentGateway, request: RawBodyRequest<Request>): Promise<void> {
    const { headers, rawBody = Buffer.of() } = request;
    if (gateway.isAuthentic({ headers, rawBody })) return;
    await this.rateLimiter.consume('gateway_token', clientAddress(request));
    throw unauthenticated('The gateway token is wrong or missing.', 'invalid_gateway_token');
  }
}
