import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { requiredBearerToken } from '../calls/customer/bearer-token';
import { CustomerTokens } from '../calls/customer/customer-tokens';
import type { AuthenticatedRequest } from '../platform/access/principal';
import { notFound, unprocessable } from '../platform/http/errors/api-error';
import { readIdParam } from '../platform/http/input/id-params';
import { CustomerFiles } from './customer-files';

/** Lets the customer of an assigned or active call upload files to it, before their content is read. */
@Injectable()
export class CustomerUploadGuard implements CanActivate {
  constructor(
    private readonly tokens: CustomerTokens,
    private readonly files: CustomerFiles,
  ) {}

  /** @throws 400 for an id that is no UUID; 401 for an invalid token; 404 if it belongs to another call; 422 invalid_state or too_many_files */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const callId = readIdParam(request.params, 'call_id');
    const customer = await this.tokens.verify(requiredBearerToken(request.headers.authorization));
    if (customer.call_id !== callId) throw notFound('Call');
    if (!customer.is_in_progress) {
      throw unprocessable('invalid_state', 'The call is not assigned or active.');
    }
    await this.files.ensureBelowLimit(customer.tenant_id, customer.call_id);
    request.uploader = { tenant_id: customer.tenant_id, user_id: customer.call_id };
    return true;
  }
}
