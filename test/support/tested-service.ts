import type { TestConnection } from './database/database';
import type { Api } from './http/api';

/** A service that a spec uses by HTTP alone. */
export interface RemoteService {
  url: string;
  api: Api;
}

/** A service that a spec uses by HTTP, in this or in another process, and whose database it reads. */
export interface TestedService extends RemoteService {
  /** A superuser's connection to the spec's database. */
  db: TestConnection;
}
