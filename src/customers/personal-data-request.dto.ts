import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, ObjectField, TimestampField, UuidField } from '../platform/http/input/fields';
import { CustomerDto } from './customer.dto';
import { ReceiptField } from './erasures/erasure.dto';
import type { ErasureState } from './erasures/erasure-records';

/** The records of one context; the property has the name of its handler. */
const RecordsField = (description: string) =>
  ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true }, description });

export class CustomerExportDto {
  @TimestampField()
  exported_at: string;

  @ObjectField(() => CustomerDto)
  customer: CustomerDto;

  @RecordsField("The customer's calls with notes, ratings, tags and client address, oldest first")
  calls: object[];

  @RecordsField("What happened to the customer's calls, without the candidates of offers")
  call_timeline: object[];

  @RecordsField(
    "Offers of the customer's calls to agents, with the note of a transfer and the reason of a decline",
  )
  offers: object[];

  @RecordsField("Callbacks of the customer's calls, with the address that invitations were sent to")
  callbacks: object[];

  @RecordsField(
    'Mails of these callbacks: the mailbox, when it was sent, and when the customer returned by its link',
  )
  callback_mails: object[];

  @RecordsField("Chat messages of the customer's calls")
  chat_messages: object[];

  @RecordsField('Links created for the customer')
  access_links: object[];

  @RecordsField("The customer's appointments")
  appointments: object[];

  @RecordsField("Files of the customer's calls; `url` returns the content")
  call_files: object[];

  @RecordsField("Recordings of the customer's calls with transcript and summary; `url` returns the content")
  recordings: object[];

  @RecordsField('Recordings whose upload is not complete')
  recording_uploads: object[];

  @RecordsField('Webhook deliveries with data of the customer, kept for 30 days by default')
  webhook_deliveries: object[];

  @ReceiptField()
  receipt: string;
}

export class ErasureReceiptDto {
  @UuidField({ description: 'No longer exists' })
  customer_id: string;

  @TimestampField()
  erased_at: string;

  @UuidField({ description: 'The user who requested the erasure' })
  erased_by: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { customers: 1, calls: 3, recordings: 2 },
    description: 'Number of records of each kind that were deleted or anonymised',
  })
  erased: Record<string, number>;

  @UuidField({ description: 'For `GET /api/v1/erasures/{id}`, while the state is pending' })
  erasure_id: string;

  @ChoiceField(['pending', 'complete'], {
    description: 'Pending until files and recordings have been deleted from the storage, about a minute',
  })
  state: ErasureState['state'];

  @ReceiptField('While the state is pending: null')
  receipt: string | null;
}
