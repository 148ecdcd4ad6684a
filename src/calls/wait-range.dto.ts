import { IntegerField } from '../platform/http/input/fields';

export const WAIT_RANGE = 'Null where nothing can be said';

export class WaitRangeDto {
  @IntegerField({ example: 120, description: 'Seconds: half of the customers wait no longer' })
  low: number;

  @IntegerField({ example: 300, description: 'Seconds: nine of ten customers wait no longer' })
  high: number;
}
