import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
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
import { AuthenticationGuard } from './identity/sessions/authentication.guard';
import { IdentityModule } from './identity/identity.module';
import { RoleGuard } from './identity/sessions/role.guard';
import { LiveModule } from './live/live.module';
import { FeatureGuard } from './plans/feature.guard';
import { PlansModule } from './plans/plans.module';
import { PagesModule } from './pages/pages.module';
import type { Config } from './platform/config/config';
import { ConfigModule } from './platform/config/config.module';
import { PLATFORM_MODULES } from './platform/platform-modules';
import { HealthModule } from './platform/health/health.module';
import { LoggingModule } from './platform/logging/logging.module';
import { RateLimitGuard } from './platform/rate-limit/rate-limit.guard';
import { RateLimitModule } from './platform/rate-limit/rate-limit.module';
import { PresenceModule } from './presence/presence.module';
import { RecordingsModule } from './recordings/recordings.module';
import { RequestGuard } from './bootstrap/request.guard';
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
      providers: [
        AuthenticationGuard,
        RateLimitGuard,
        RoleGuard,
        FeatureGuard,
        { provide: APP_GUARD, useClass: RequestGuard },
      ],
    };
  }
}
