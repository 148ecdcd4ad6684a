import { IntegerField, TextField, UuidField } from '../../platform/http/input/fields';

/** A file of a call, as it is answered to its upload and stands in the chat. */
export class UploadedFileDto {
  @UuidField()
  id: string;

  @TextField({ example: 'contract.pdf' })
  filename: string;

  @TextField({
    example: 'application/pdf',
    description: 'Detected from the content; the declared type if the content has no signature',
  })
  content_type: string;

  @IntegerField({ max: Number.MAX_SAFE_INTEGER, example: 48_211, description: 'Bytes' })
  size: number;

  @TextField({
    example: '/api/v1/calls/7f8c1c43-61ab-4a4c-9ea2-6d35b1f1a5a5/files/3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11',
    description: 'Relative; requires an access token',
  })
  url: string;
}
