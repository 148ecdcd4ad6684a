import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessLinksModule } from './access-links/access-links.module';
import { AnalyticsModule } from './analytics/analytics.module';
import { AppointmentsModule } from './appointments/appointments.module';
import { AuditModule } from './audit/audit.module';
import { BillingModule } from './billing/billing.module';
import { CallsModule } from './calls/calls.module';
import { CustomersModule } from './customers/customers.module';
import { DemoModule } from './demo/demo.module';
import { DepartmentsModule } from './departments/departments.module';
import { ExportsModule } from './exports/exports.module';
import { FilesModule } from './files/files.module';
import { IdentityModule } from './identity/identity.module';
import { JwtAuthGuard } from './identity/access/jwt-auth.guard';
import { JwtStrategy } from './identity/access/jwt.strategy';
import { RolesGuard } from './identity/access/roles.guard';
import { LiveModule } from './live/live.module';
import { PlanGuard } from './plans/plan.guard';
import { PlansModule } from './plans/plans.module';
import { PagesModule } from './pages/pages.module';
import { ConnectionKindGuard } from './platform/http/connection-kind.guard';
import type { Config } from './platform/config/config';
import { ConfigModule } from './platform/config/config.module';
import { PLATFORM_MODULES } from './platform/platform-modules';
import { HealthModule } from './bootstrap/health/health.module';
import { AsyncApiController } from './bootstrap/openapi/asyncapi.controller';
import { MisspeltFieldsGuard } from './platform/http/input/misspelt-fields.guard';
import { LoggingModule } from './platform/logging/logging.module';
import { RateLimitGuard } from './platform/rate-limit/rate-limit.guard';
import { RateLimitModule } from './platform/rate-limit/rate-limit.module';
import { PresenceModule } from './presence/presence.module';
import { RecordingsModule } from './recordings/recordings.module';
import { RoutingModule } from './routing/routing.module';
import { CannedRepliesModule } from './canned-replies/canned-replies.module';
import { TagsModule } from './tags/tags.module';
import { TenancyModule } from './tenancy/tenancy.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The whole service. The contexts are in the order in which they may import each other. */
@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        LoggingModule,
        ...PLATFORM_MODULES,
        RateLimitModule,
        HealthModule,
        TenancyModule,
        AuditModule,
        PlansModule,
        PresenceModule,
        IdentityModule,
        PassportModule.registerAsync({
          imports: [IdentityModule],
          inject: [JwtStrategy],
          useFactory: ({ name }: JwtStrategy) => ({ defaultStrategy: name }),
        }),
        BillingModule,
        DepartmentsModule,
        CustomersModule,
        TagsModule,
        CannedRepliesModule,
        AccessLinksModule,
        CallsModule,
        RoutingModule,
        LiveModule,
        FilesModule,
        RecordingsModule,
        AppointmentsModule,
        AnalyticsModule,
        ExportsModule,
        WebhooksModule,
        PagesModule,
        DemoModule,
      ],
      controllers: [AsyncApiController],
      providers: [
        RateLimitGuard,
        // The guards of every route, in this order. Socket messages pass them: AckInterceptor checks those.
        { provide: APP_GUARD, useClass: ConnectionKindGuard },
        { provide: APP_GUARD, useClass: JwtAuthGuard },
        { provide: APP_GUARD, useExisting: RateLimitGuard },
        { provide: APP_GUARD, useClass: RolesGuard },
        { provide: APP_GUARD, useClass: PlanGuard },
        { provide: APP_GUARD, useClass: MisspeltFieldsGuard },
      ],
    };
  }
}
