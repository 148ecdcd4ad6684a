import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { StoredObjectLedger } from './stored-object-ledger';
import { LocalStorage } from './local-storage';
import { STORAGE, type Storage } from './storage';
import { StoredObjectsService } from './stored-objects.service';

@Global()
@Module({
  providers: [
    { provide: STORAGE, inject: [CONFIG], useFactory: connectStorage },
    StoredObjectLedger,
    StoredObjectsService,
  ],
  exports: [STORAGE, StoredObjectsService],
})
export class StorageModule {}

/** Loads the AWS SDK only if a bucket is configured, since it takes memory and time. */
async function connectStorage({ storage }: Config): Promise<Storage> {
  if (storage.kind === 'local') return new LocalStorage(storage.folder);
  const { S3Storage } = await import('./s3-storage.js');
  return new S3Storage(storage.s3);
}
