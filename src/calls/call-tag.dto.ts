import { UuidField } from '../platform/http/fields';

export class AddTagDto {
  @UuidField()
  tag_id: string;
}
