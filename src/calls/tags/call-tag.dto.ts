import { UuidField } from '../../platform/http/input/fields';

export class AddTagDto {
  @UuidField()
  tag_id: string;
}
