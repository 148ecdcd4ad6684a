import type { TestConnection } from './database/database';
import type { Api } from './http/api';

/** A service that a spec uses by HTTP, in this or in another process. */
export interface TestedService {
  url: string;
  api: Api;
  /** A superuser's connection to the spec's database. */
  db: TestConnection;
}
