import { ApiProperty } from '@nestjs/swagger';
import { ObjectField, TimestampField, UuidField } from '../platform/http/input/fields';
import { CustomerDto } from './customer.dto';

/** What one holder of personal data has of the customer, under the holder's name. */
const RecordsField = (description: string) =>
  ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true }, description });

export class CustomerExportDto {
  @TimestampField()
  exported_at: string;

  @ObjectField(() => CustomerDto)
  customer: CustomerDto;

  @RecordsField('Their calls with all that was written about them, the oldest first')
  calls: object[];

  @RecordsField('The links that were made for them')
  access_links: object[];

  @RecordsField('Their appointments')
  appointments: object[];

  @RecordsField('Files of their calls; `url` leads to the content')
  call_files: object[];

  @RecordsField('Recordings of their calls with transcript and summary; `url` leads to the content')
  recordings: object[];

  @RecordsField('Recordings that have not come whole yet')
  recording_uploads: object[];

  @RecordsField('What webhooks told of them, for the 30 days that this is kept')
  webhook_deliveries: object[];
}

export class ErasureReceiptDto {
  @UuidField({ description: 'Leads nowhere from now on' })
  customer_id: string;

  @TimestampField()
  erased_at: string;

  @UuidField({ description: 'The user who had it done' })
  erased_by: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { customers: 1, calls: 3, recordings: 2 },
    description: 'How many records of each kind were deleted, or have the person no more',
  })
  erased: Record<string, number>;
}
