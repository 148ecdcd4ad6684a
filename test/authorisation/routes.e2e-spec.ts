import { Controller, Get, Module, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryModule, DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { MINIMUM_ROLE, MinimumRole, Public, PUBLIC } from '../../src/platform/access/access.decorators';
import type { PlanName } from '../../src/plans/plan-catalogue';
import { RequiresFeature } from '../../src/plans/plan.guard';
import { RATE_LIMIT, RateLimit } from '../../src/platform/rate-limit/rate-limit.decorator';
import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { startTestApp, type TestApp } from '../support/test-app';

/** Routes with missing decorators, which prove that the checks below find such routes. */
@Controller('probe')
class ProbeController {
  @Get('closed')
  closed(): string {
    return 'never seen';
  }

  @Get('unthrottled')
  @Public()
  unthrottled(): string {
    return 'seen by all, any number of times';
  }

  @Get('half-decided')
  @RateLimit('public')
  halfDecided(): string {
    return 'never seen';
  }

  @Get('recording')
  @MinimumRole('attendant')
  @RequiresFeature('recording')
  recording(): string {
    return 'recorded';
  }

  @Get('transcription')
  @MinimumRole('supervisor')
  @RequiresFeature('transcription')
  transcription(): string {
    return 'written down';
  }
}

@Controller('probe-class')
@RequiresFeature('ai_summaries')
@MinimumRole('attendant')
class ProbeClassController {
  @Get()
  summary(): string {
    return 'in short';
  }
}

@Module({ imports: [DiscoveryModule], controllers: [ProbeController, ProbeClassController] })
class ProbeModule {}

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ imports: [ProbeModule] });
});

afterAll(() => test.close());

interface Route {
  name: string;
  isPublic: boolean;
  hasRole: boolean;
  hasRateLimit: boolean;
}

/** Every route of every controller, with the access that its decorators declare. */
function listRoutes(): Route[] {
  const reflector = test.get(Reflector);
  const scanner = test.get(MetadataScanner);
  return test
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ instance, metatype }) => {
      if (!metatype) return [];
      return scanner.getAllMethodNames(Object.getPrototypeOf(instance)).flatMap((method) => {
        const handler = instance[method];
        if (Reflect.getMetadata(PATH_METADATA, handler) === undefined) return [];
        const getMetadata = (key: symbol) => reflector.getAllAndOverride(key, [handler, metatype as never]);
        const access = {
          isPublic: getMetadata(PUBLIC) === true,
          hasRole: getMetadata(MINIMUM_ROLE) !== undefined,
          hasRateLimit: getMetadata(RATE_LIMIT) !== undefined,
        };
        return routeNames(metatype as object, handler).map((name) => ({ name, ...access }));
      });
    });
}

/** A handler can have several paths. */
function routeNames(controller: object, handler: object): string[] {
  const prefix = Reflect.getMetadata(PATH_METADATA, controller) as string;
  const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler)];
  return paths.map((path) => `${method} /${`${prefix}/${path}`.split('/').filter(Boolean).join('/')}`);
}

/** The routes that Express serves, except the pages of the API reference. */
function servedRoutes(): string[] {
  const { stack } = test.app.getHttpAdapter().getInstance().router as { stack: Json[] };
  return stack
    .filter(
      (layer) => layer.route && !/^\/(docs|docs-json|docs-yaml|openapi\.json)(\/|$)/.test(layer.route.path),
    )
    .flatMap((layer) =>
      Object.keys(layer.route.methods).map((method) => `${method.toUpperCase()} ${layer.route.path}`),
    );
}

describe('every route', () => {
  it('is found by the scan', () => {
    const known = new Set(listRoutes().map((route) => route.name));
    expect(known.size).toBeGreaterThan(30);
    expect(servedRoutes().length).toBeGreaterThan(30);
    expect(servedRoutes().filter((name) => !known.has(name))).toEqual([]);
  });

  it('declares who may call it', () => {
    const undecided = listRoutes().filter((route) => !route.isPublic && !route.hasRole);
    expect(undecided.map((route) => route.name)).toEqual(['GET /probe/closed', 'GET /probe/half-decided']);
  });

  it('that is public declares a rate limit', () => {
    const undecided = listRoutes().filter((route) => route.isPublic && !route.hasRateLimit);
    expect(undecided.map((route) => route.name)).toEqual(['GET /probe/unthrottled']);
  });

  it('is either public or requires a role', () => {
    expect(listRoutes().filter((route) => route.isPublic && route.hasRole)).toEqual([]);
  });

  it('that is not public has a role in the OpenAPI document', async () => {
    const { body } = await test.api.get('/docs-json');
    const open = new Set(listRoutes().flatMap((route) => (route.isPublic ? [route.name] : [])));
    for (const [path, operations] of Object.entries<Json>(body.paths)) {
      for (const [method, operation] of Object.entries<Json>(operations)) {
        const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
        if (open.has(name) || name.startsWith('GET /probe')) continue;
        expect([name, operation['x-minimum-role']]).toEqual([name, expect.any(String)]);
      }
    }
  });
});

describe('a route without access decorators', () => {
  it.each(['closed', 'half-decided'])('rejects every caller: %s', async (path) => {
    const { owner } = await TestTenant.register(test);
    expectFailure(await test.api.get(`/probe/${path}`), 401);
    expectFailure(await owner.api.get(`/probe/${path}`), 403, { code: 'forbidden' });
  });
});

describe('a route that requires a feature', () => {
  it.each<[PlanName, boolean, boolean]>([
    ['free', false, false],
    ['basic', true, false],
    ['advanced', true, true],
    ['enterprise', true, true],
  ])(
    'on the plan %s allows recording: %s, transcription and summaries: %s',
    async (plan, recording, others) => {
      const { owner } = await TestTenant.register(test, plan);
      for (const [path, allowed] of [
        ['/probe/recording', recording],
        ['/probe/transcription', others],
        ['/probe-class', others],
      ] as const) {
        const answer = await owner.api.get(path);
        if (allowed) expectStatus(answer, 200);
        else expectFailure(answer, 403, { code: 'feature_not_in_plan' });
      }
    },
  );

  it('is rejected when the subscription is cancelled', async () => {
    const { id, owner } = await TestTenant.register(test, 'basic');
    expectStatus(await owner.api.get('/probe/recording'), 200);
    await test.db.query(`UPDATE subscriptions SET status = 'cancelled' WHERE tenant_id = $1`, [id]);
    // No event announces this change.
    test.clock.advance(5);
    expectFailure(await owner.api.get('/probe/recording'), 403, { code: 'feature_not_in_plan' });
  });

  it('checks the token and the role first', async () => {
    const tenant = await TestTenant.register(test, 'free');
    const attendant = await tenant.member('attendant');
    expectFailure(await test.api.get('/probe/transcription'), 401);
    expectFailure(await attendant.api.get('/probe/transcription'), 403, { code: 'forbidden' });
  });
});
