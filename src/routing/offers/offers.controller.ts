import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole, ReservedConnection } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { NoParameters } from '../../platform/http/lists/pagination';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { CallDetailsDto } from '../../calls/call-details.dto';
import { AcceptOffer } from './accept-offer';
import { DeclineOffer } from './decline-offer';
import { DeclineOfferDto, OfferDto } from './offer.dto';
import { OwnOffers } from './own-offers';

@ApiTags('Offers')
@MinimumRole('attendant')
@Controller('api/v1/offers')
export class OffersController {
  constructor(
    private readonly own: OwnOffers,
    private readonly accepting: AcceptOffer,
    private readonly declining: DeclineOffer,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List your pending offers: at most one' })
  @ApiData(OfferDto, { list: true })
  @ApiFailure(400, 'Malformed request')
  list(@CurrentUser() user: Principal, @Query() _query: NoParameters): Promise<OfferDto[]> {
    return this.own.pending(user);
  }

  @Post(':id/accept')
  @HttpCode(200)
  @ReservedConnection()
  @ApiOperation({ summary: 'Accept an offer: the call is assigned to you and starts' })
  @ApiData(CallDetailsDto)
  @ApiFailure(403, 'The plan allows no other call at the same time; the offer is withdrawn', 'plan_limit')
  @ApiFailure(422, 'The offer was answered, has expired or was withdrawn', 'offer_ended')
  accept(@CurrentUser() user: Principal, @IdParam() id: string): Promise<CallDetailsDto> {
    return this.accepting.accept(user, id);
  }

  @Post(':id/decline')
  @HttpCode(200)
  @ReservedConnection()
  @ApiOperation({
    summary: 'Decline an offer: you are offered this call again after 10 seconds at the earliest',
  })
  @ApiData(OfferDto)
  @ApiFailure(422, 'The offer was answered, has expired or was withdrawn', 'offer_ended')
  decline(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Body() { reason }: DeclineOfferDto,
  ): Promise<OfferDto> {
    return this.declining.decline(user, id, reason ?? null);
  }
}
