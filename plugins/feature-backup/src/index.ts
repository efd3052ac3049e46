import { definePlugin, type Plugin } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { auditService } from '@agent-service/sdk/services/audit'
import { backupsService } from '@agent-service/sdk/services/backups'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { deploymentService } from '@agent-service/sdk/services/deployment'
import { eventsService } from '@agent-service/sdk/services/events'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { notificationsService } from '@agent-service/sdk/services/notifications'
import { settingsOf, settingsSchema } from './configuration.js'
import { panels } from './console-panels.js'
import { eventTypes } from './event-types.js'
import { createBackupMetrics } from './metrics.js'
import { createBackupRoutes } from './routes/backup-routes.js'
import { createBackupFolder } from './runs/backup-folder.js'
import { runCollection, verificationCollection } from './runs/backup-records.js'
import { createBackupRunner } from './runs/backup-runner.js'
import { createBackupJob } from './runs/schedule-job.js'

/** Backups of the whole service: on request and by a schedule, verified, with a retention. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-backup',
    apiVersion: 1,
    description: 'Backups of the whole service, on request and on a schedule.',
    contributes: ['console.panel', 'http.route', 'scheduler.job'],
    optional: ['notifications'],
    config: settingsSchema,
    routes: ['/api/admin/backups'],
    events: eventTypes,
  },
  collections: [runCollection, verificationCollection],
  async setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const { log } = context
    const clock = context.use(clockService)
    const backups = context.use(backupsService)
    const notifications = context.use(notificationsService)
    const settings = settingsOf(context.config, context.use(deploymentService).timezone)
    const folder = createBackupFolder(settings.folder ?? backups.folder)
    const metrics = createBackupMetrics(context.use(metricsService), () => clock.now())
    const runner = createBackupRunner({
      ...{ backups, folder, settings, clock, metrics, log, notifications, database: context.use(databaseService) },
      ...{ events: context.use(eventsService), accounts: context.use(accountsService) },
    })
    if (notifications) for (const kind of [failedKind, incompleteKind]) context.onDispose(notifications.declare(kind))
    await backups.removeLeftovers(folder.folder)
    await runner.closeOpenRuns()
    const good = await runner.lastGood()
    if (good) metrics.known({ at: Date.parse(good.createdAt), bytes: good.bytes })
    context.onStopping(() => runner.stop())
    for (const route of createBackupRoutes({ backups, folder, runner, settings, clock, audit: context.use(auditService) }))
      context.contribute(httpRoutes, route)
    const job = createBackupJob(settings.timing, { runner, clock })
    if (job) context.contribute(schedulerJobs, job)
  },
})
export default plugin

const failedKind = {
  ...{ id: 'backup.failed', app: true, mail: true, audience: 'admins' as const },
  title: { en: 'A backup failed', de: 'Eine Sicherung ist fehlgeschlagen' },
  description: { en: 'The service could not be backed up.', de: 'Der Dienst konnte nicht gesichert werden.' },
}

const incompleteKind = {
  ...{ id: 'backup.incomplete', app: true, mail: true, audience: 'admins' as const },
  title: { en: 'A backup could not read everything', de: 'Eine Sicherung konnte nicht alles lesen' },
  description: {
    en: 'More files of users could not be read than for the backup before.',
    de: 'Eine Sicherung konnte mehr Dateien von Benutzern nicht lesen als die vorige.',
  },
}
