import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, IntegerField, TimestampField, UuidField } from '../../platform/http/input/fields';
import type { ErasureState } from './erasure-records';

/** How far an erasure is, and its receipt. */
export class ErasureDto {
  @UuidField()
  erasure_id: string;

  @UuidField({ description: 'No longer exists' })
  customer_id: string;

  @TimestampField()
  erased_at: string;

  @ChoiceField(['pending', 'complete'], {
    description: 'Complete when all files and recordings have been deleted from the storage',
  })
  state: ErasureState['state'];

  @IntegerField({ description: 'Files and recordings that have not been deleted from the storage yet' })
  remaining_objects: number;

  @ReceiptField('While the state is pending: null')
  receipt: string | null;
}

/** A signed receipt. */
export function ReceiptField(whenNull?: string): PropertyDecorator {
  const isNullable = whenNull !== undefined;
  return ApiProperty({
    type: String,
    nullable: isNullable,
    example: 'eyJhbGciOiJFZERTQSIsImtpZCI6IjNmMGMyYTUyIn0.eyJyZWNlaXB0X2lkIjoiN2U2YzFmMGUifQ.c2lnbmF0dXJl',
    description: ['A signed receipt with the number of records (JWS, Ed25519)', whenNull]
      .filter(Boolean)
      .join('. '),
  });
}
