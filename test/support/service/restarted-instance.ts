import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestConnection } from '../database/database';
import { Api } from '../http/api';
import type { TestedService } from '../tested-service';
import { until } from '../until';
import { ServiceProcess } from './service-process';

/** A folder with the files of secrets, as a secret store keeps them, and with the data of instances. */
export class SecretsFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'video-queue-secrets-'));

  /** Writes the file of a secret, as a secret store does when the operator changes it. @returns its path */
  write(name: string, value: string): string {
    const path = join(this.path, name);
    writeFileSync(path, `${value}\n`, { mode: 0o600 });
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}

/** An instance in production that can be restarted; its address stays. */
export class RestartedInstance implements TestedService {
  process: ServiceProcess | undefined;
  private port: number | undefined;

  /** @param name unique in the folder */
  constructor(
    readonly db: TestConnection,
    private readonly folder: SecretsFolder,
    private readonly name: string,
    private readonly variables: Record<string, string>,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get api(): Api {
    return new Api(this.url);
  }

  async restart(): Promise<void> {
    await this.process?.stop();
    this.process = await ServiceProcess.start({
      NODE_ENV: 'production',
      DATA_DIR: join(this.folder.path, this.name),
      LOG_LEVEL: 'info',
      ...this.variables,
      ...(this.port && { PORT: String(this.port) }),
    });
    this.port = this.process.port;
  }

  /** Waits for a line of the log since the last restart. */
  logged(line: string): Promise<unknown> {
    return until(
      () => this.process?.output.includes(line),
      () => `${this.name} has not logged: ${line}`,
    );
  }
}
