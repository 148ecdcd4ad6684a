import { Controller, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { UploadedFileDto } from '../calls/chat/uploaded-file.dto';
import type { AuthenticatedRequest } from '../platform/access/principal';
import { Public } from '../platform/access/access.decorators';
import { invalidField, unauthenticated } from '../platform/http/errors/api-error';
import { detectContentType } from './uploads/content-type';
import { IdParam } from '../platform/http/input/id-params';
import { ApiData, ApiFailure } from '../platform/http/openapi/openapi.decorators';
import type { UploadedPart } from './uploads/content-sniffer';
import type { StoredUpload } from './uploads/storage-engine';
import { StreamedFile, StreamUpload } from './uploads/stream-upload';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { StorageQuotaGuard } from '../plans/storage-quota.guard';
import { CustomerFiles, MAX_CUSTOMER_FILES } from './customer-files';
import { CustomerUploadGuard } from './customer-upload.guard';

const MAX_BYTES = 10 * 1024 * 1024;
const ACCEPTED = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf'];

/** @throws 422 unless the content is that of a picture or PDF, whatever its declared type */
async function acceptPictureOrPdf(sample: Buffer, { field }: UploadedPart): Promise<void> {
  if (ACCEPTED.includes(await detectContentType(sample))) return;
  throw invalidField(field, 'must be a JPEG, PNG, WebP or GIF picture or a PDF');
}

/** Files that customers send in the chat of their call. */
@ApiTags('Customer')
@Public()
@RateLimit('public')
@Controller('api/v1/call/files/:call_id')
export class CustomerFilesController {
  constructor(private readonly files: CustomerFiles) {}

  @Post()
  @UseGuards(CustomerUploadGuard, StorageQuotaGuard)
  @ApiBearerAuth('websocket_token')
  @ApiOperation({
    summary: 'Send a picture or PDF in the chat of an assigned or active call',
    description: `It becomes a file of the call, and both sides get a \`chat_message\` with it. A customer sends at most ${MAX_CUSTOMER_FILES} in a call.`,
  })
  @StreamUpload({
    limit: MAX_BYTES,
    kind: 'files',
    accept: acceptPictureOrPdf,
    description: 'A JPEG, PNG, WebP or GIF picture or a PDF, by its content; at most 10 MiB',
  })
  @ApiData(UploadedFileDto, { status: 201 })
  @ApiFailure(403, 'The storage of the plan is used up', 'plan_limit', 'The plan allows no more storage.')
  @ApiFailure(413, 'The file is larger than 10 MiB', 'payload_too_large')
  @ApiFailure(
    422,
    'No file, one of another type, a call that is not assigned or active (`invalid_state`), too many files, or a full chat (`chat_full`)',
    'too_many_files',
    `A customer can send ${MAX_CUSTOMER_FILES} files in a call.`,
  )
  upload(
    @IdParam('call_id') callId: string,
    @StreamedFile() file: StoredUpload,
    @Req() { uploader }: AuthenticatedRequest,
  ): Promise<UploadedFileDto> {
    if (!uploader) throw unauthenticated();
    return this.files.add(uploader.tenant_id, callId, file);
  }
}
