import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TenancyModule } from '../tenancy/tenancy.module';
import { Tag } from './tag.entity';
import { TagList } from './tag-list';
import { TagPlaces } from './tag-places';
import { Tags } from './tags';
import { TagsController } from './tags.controller';

@Module({
  imports: [TypeOrmModule.forFeature([Tag]), TenancyModule],
  controllers: [TagsController],
  providers: [TagList, TagPlaces, Tags],
})
export class TagsModule {}
