import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TenancyModule } from '../tenancy/tenancy.module';
import { Tag } from './tag.entity';
import { TagList } from './tag-list';
import { TagHierarchy } from './tag-hierarchy';
import { TagsService } from './tags.service';
import { TagsController } from './tags.controller';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-error-registry';
import { TAG_CONSTRAINTS } from './tag.constraints';

CONSTRAINT_ERRORS.register(TAG_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([Tag]), TenancyModule],
  controllers: [TagsController],
  providers: [TagList, TagHierarchy, TagsService],
})
export class TagsModule {}
