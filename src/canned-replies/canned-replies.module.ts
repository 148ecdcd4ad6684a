import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-error-registry';
import { TenancyModule } from '../tenancy/tenancy.module';
import { CannedRepliesController } from './canned-replies.controller';
import { CannedRepliesService } from './canned-replies.service';
import { CANNED_REPLY_CONSTRAINTS } from './canned-reply.constraints';
import { CannedReply } from './canned-reply.entity';
import { CannedReplyList } from './canned-reply-list';

CONSTRAINT_ERRORS.register(CANNED_REPLY_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([CannedReply]), TenancyModule],
  controllers: [CannedRepliesController],
  providers: [CannedReplyList, CannedRepliesService],
})
export class CannedRepliesModule {}
