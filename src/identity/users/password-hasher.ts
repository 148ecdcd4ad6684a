import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { TaskQueue } from '../../platform/rate-limit/task-queue';

/** What one hash costs: memory in KiB, passes over it, and lanes that are computed in parallel. */
type Argon2Cost = Record<'memoryCost' | 'timeCost' | 'parallelism', number>;

/** Argon2id (the library's default) with the parameters that OWASP recommends: 19 MiB, two passes, one lane. */
const RECOMMENDED_COST: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes passwords at the recommended cost; tests override this provider with a cheaper one. */
@Injectable()
export class PasswordHasher {
  protected readonly cost: Argon2Cost = RECOMMENDED_COST;
  private decoy: Promise<string> | undefined;
  /**
   * More verifications at once would only evict each other's memory from the processors' caches. Without the additional one, a
   * processor would wait while a verification ends and the next one begins.
   */
  private readonly verifications = new TaskQueue(availableParallelism() + 1);

  /** @returns the hash together with its salt and cost, as a string in PHC format */
  hash(password: string): Promise<string> {
    return hash(password.normalize('NFKC'), this.cost);
  }

  /**
   * Whether the password matches the hash, in NFKC (RFC 8265): keyboards send one letter as one or as two characters. Hashes of
   * earlier releases are of the password as it was sent, so that form is tried, too. Without a hash (unknown account, or no password chosen yet) a decoy
   * hash is verified and the result is false, so that response times do not reveal which accounts exist.
   */
  async matches(passwordHash: string | null, password: string): Promise<boolean> {
    this.decoy ??= this.hash('decoy');
    const expected = passwordHash ?? (await this.decoy);
    for (const form of formsOf(password)) {
      if (await this.verifications.run(() => verify(expected, form))) return passwordHash !== null;
    }
    return false;
  }
}

/** NFKC first, and the password as it was sent if that is another text. */
const formsOf = (password: string): ReadonlySet<string> => new Set([password.normalize('NFKC'), password]);
