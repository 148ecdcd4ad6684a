import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { CallsModule } from '../calls/calls.module';
import { CustomersModule } from '../customers/customers.module';
import { DepartmentsModule } from '../departments/departments.module';
import { IdentityModule } from '../identity/identity.module';
import { PlansModule } from '../plans/plans.module';
import { RecordingPersonalData } from './recording-personal-data';
import { RecordingInspectionJobs } from './recording-inspection-jobs';
import { RecordingInspector } from './recording-inspector';
import { RecordingList } from './recording-list';
import { RecordingPlayerController } from './recording-player.controller';
import { RecordingRetentionSweeper } from './recording-retention-sweeper';
import { RecordingTickets } from './recording-tickets';
import { PartJoiner } from './parts/part-joiner';
import { RecordingParts } from './parts/recording-parts';
import { RecordingsService } from './recordings.service';
import { RecordingsController } from './recordings.controller';
import { AiModule } from './transcripts/ai/ai.module';
import { TranscriptsModule } from './transcripts/transcripts.module';
import { AssemblyQueue } from './tus/assembly-queue';
import { EndDepartmentUploads } from './tus/end-department-uploads';
import { RecordingUploadsService } from './tus/recording-uploads.service';
import { RecordingUploadsController } from './tus/recording-uploads.controller';
import { TusServer } from './tus/tus-server';
import { UploadAssembler } from './tus/upload-assembler';
import { UploadLocker } from './tus/upload-locker';
import { UploadSweeper } from './tus/upload-sweeper';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-error-registry';
import { RECORDING_CONSTRAINTS } from './recording.constraints';

CONSTRAINT_ERRORS.register(RECORDING_CONSTRAINTS);

@Module({
  imports: [
    AiModule,
    AuditModule,
    CallsModule,
    CustomersModule,
    DepartmentsModule,
    IdentityModule,
    PlansModule,
    TranscriptsModule,
  ],
  controllers: [RecordingPlayerController, RecordingsController, RecordingUploadsController],
  providers: [
    PartJoiner,
    RecordingPersonalData,
    RecordingInspectionJobs,
    RecordingInspector,
    RecordingList,
    RecordingParts,
    RecordingRetentionSweeper,
    RecordingsService,
    RecordingTickets,
    AssemblyQueue,
    EndDepartmentUploads,
    RecordingUploadsService,
    TusServer,
    UploadAssembler,
    UploadLocker,
    UploadSweeper,
  ],
  exports: [RecordingsService],
})
export class RecordingsModule {}
