import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { CustomersModule } from '../customers/customers.module';
import { IdentityModule } from '../identity/identity.module';
import { PlansModule } from '../plans/plans.module';
import { RecordingPersonalData } from './recording-personal-data';
import { RecordingList } from './recording-list';
import { RecordingPlayerController } from './recording-player.controller';
import { RecordingRetention } from './recording-retention';
import { RecordingTickets } from './recording-tickets';
import { RecordingsService } from './recordings.service';
import { RecordingsController } from './recordings.controller';
import { TranscriptsModule } from './transcripts/transcripts.module';
import { CompleteUploads } from './tus/complete-uploads';
import { FinishUploads } from './tus/finish-uploads';
import { RecordingUploads } from './tus/recording-uploads';
import { RecordingUploadsController } from './tus/recording-uploads.controller';
import { TusUploads } from './tus/tus-uploads';
import { UploadLocks } from './tus/upload-locks';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-errors';
import { RECORDING_CONSTRAINTS } from './recording.constraints';

CONSTRAINT_ERRORS.register(RECORDING_CONSTRAINTS);

@Module({
  imports: [CallsModule, CustomersModule, IdentityModule, PlansModule, TranscriptsModule],
  controllers: [RecordingPlayerController, RecordingsController, RecordingUploadsController],
  providers: [
    RecordingPersonalData,
    RecordingList,
    RecordingRetention,
    RecordingsService,
    RecordingTickets,
    CompleteUploads,
    FinishUploads,
    RecordingUploads,
    TusUploads,
    UploadLocks,
  ],
  exports: [RecordingsService],
})
export class RecordingsModule {}
