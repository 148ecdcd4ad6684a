import type { Page, Response } from 'playwright-core';

/** What a test lets the service refuse: a status, and the path or the beginning of it. */
export interface ExpectedRefusal {
  status: number;
  path: string;
}

const API = '/api/';
/** A page that requests what is forbidden or missing has a defect, even if the screen looks right. */
const DEFECTS = [403, 404];
const SERVER_ERROR = 500;
const UNAVAILABLE = 503;

/** Compares the answers that the pages of a test get with those that the test expects. */
export class UnexpectedRefusals {
  /** One entry for each answer that was not expected. */
  readonly found: string[] = [];
  /** Whether the service restarts in the test: while it starts, it answers 503. */
  mayRestart = false;
  /** The latest answers by which a busy service refused requests. */
  private readonly unrepeated = new Map<string, string>();
  private readonly expected: (ExpectedRefusal & { count: number })[] = [];

  expect(refusal: ExpectedRefusal): void {
    this.expected.push({ ...refusal, count: 0 });
  }

  watch(page: Page, name: string): void {
    page.on('response', (response) => this.note(response, name));
  }

  /** @returns what is wrong: unexpected answers, and expected ones that have not come, so that no expectation outlives its reason */
  problems(): string[] {
    const missing = this.expected
      .filter(({ count }) => count === 0)
      .map(({ status, path }) => `no request for ${path} was answered with ${status}`);
    return [...this.found, ...this.unrepeated.values(), ...missing];
  }

  private note(response: Response, name: string): void {
    const status = response.status();
    const { pathname } = new URL(response.url());
    if (this.mayRestart && status === UNAVAILABLE) return;
    const request = `${name}: ${response.request().method()} ${pathname}`;
    this.unrepeated.delete(request);
    // A busy service names the time after which the page has to repeat its request.
    if (status === UNAVAILABLE && 'retry-after' in response.headers()) {
      this.unrepeated.set(request, `${request} was answered with ${status}`);
      return;
    }
    const isDefect = status >= SERVER_ERROR || (DEFECTS.includes(status) && pathname.startsWith(API));
    if (!isDefect) return;
    const refusal = this.expected.find((one) => one.status === status && pathname.startsWith(one.path));
    if (refusal) refusal.count += 1;
    else this.found.push(`${request} was answered with ${status}`);
  }
}
