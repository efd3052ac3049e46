import { definePlugin, type Plugin } from '@agent-service/sdk'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { mailbox } from '@agent-service/sdk/email-addresses'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { auditService } from '@agent-service/sdk/services/audit'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { emailConfirmationService } from '@agent-service/sdk/services/email-confirmation'
import { type MailStatus, mailService } from '@agent-service/sdk/services/mail'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { urlService } from '@agent-service/sdk/services/urls'
import { type MailSettings, mailSection } from './common/mail-section.js'
import { createMailMetrics } from './common/metrics.js'
import { createMailCheck } from './doctor.js'
import { createAddressLetters } from './outbox/address-letters.js'
import { type MailEngine, recoverAttempts, startMailEngine } from './outbox/mail-engine.js'
import { createMail } from './outbox/outbox.js'
import { createRates } from './outbox/rates.js'
import { sendStoredMail } from './outbox/send-mail.js'
import { createConfirmationRoutes } from './routes/confirmation-routes.js'
import { createMailRoutes } from './routes/mail-routes.js'
import type { Mailer } from './smtp/mailer.js'
import { outboxCollection } from './store/stored-mail.js'
import { createMailUserData, createPruneJob } from './user-data.js'

/** E-mail to users, through the mail server of the section `mail`. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-mail',
    apiVersion: 1,
    description: 'Sending of e-mail.',
    contributes: ['doctor.check', 'http.route', 'scheduler.job', 'user.data'],
    provides: ['mail'],
    sections: { mail: mailSection },
    rules: './rules.js',
    routes: ['/api/admin/mail', '/api/auth/email'],
    tags: { mail: 'The mail server, and what became of e-mails.' },
    permissions: [{ kind: 'network', targetsFromConfiguration: ['/mail/host'], reason: 'Hands e-mails to the configured mail server.' }],
  },
  collections: [outboxCollection],
  async setup(context) {
    const settings: MailSettings = context.config.mail
    const urls = context.use(urlService)
    context.contribute(doctorChecks, createMailCheck(settings, urls, context.use(accountsService, { optional: true })))
    const status = statusOf(settings)
    // `agent-service doctor` examines the server without a database.
    const database = context.use(databaseService, { optional: true })
    context.contribute(userData, createMailUserData(database))
    if (!database) {
      context.provide(mailService, { status: () => status, send: async () => ({ id: '', outcome: 'unavailable' }) })
      return
    }
    const [clock, accounts] = [context.use(clockService), context.use(accountsService)]
    const { from } = settings
    const confirmation = context.use(emailConfirmationService)
    const domain =
      mailbox(from ?? '')
        ?.address.split('@')
        .at(-1) ?? 'localhost'
    let engine: MailEngine | undefined
    let mailer: Mailer | undefined
    const metrics = createMailMetrics(context.use(metricsService), () => engine?.trouble() !== undefined)
    if (status.available && from !== undefined) {
      // The library is loaded only if e-mail can be sent.
      const { createMailer } = await import('./smtp/mailer.js')
      const opened = createMailer(settings, { urls })
      mailer = opened
      context.onDispose(() => opened.close())
      const rates = createRates(clock, { perHour: settings.max_per_hour, perUser: settings.max_per_user_per_hour })
      if (!database.shared) await recoverAttempts(database, clock)
      const started = startMailEngine({
        ...{ database, clock, log: context.log },
        send: (id) => sendStoredMail({ database, clock, accounts, confirmation, urls, mailer: opened, rates, metrics, from }, id),
      })
      engine = started
      context.onDispose(() => started.end())
      started.wake()
    }
    const tests = context.use(quotasService).limit({ name: 'mail-tests', counts: 'test e-mails at a time', maxPerHolder: 1 })
    const audit = context.use(auditService)
    const routes = createMailRoutes({
      ...{ database, accounts, audit, urls, settings, domain, mailer, engine, tests },
      status: () => status,
    })
    for (const route of routes) context.contribute(httpRoutes, route)
    context.contribute(schedulerJobs, createPruneJob({ database, clock }))
    const storing = { database, clock, status: () => status, domain, wake: () => engine?.wake() }
    const letters = createAddressLetters({ ...storing, confirmation, log: context.log })
    for (const route of createConfirmationRoutes({ letters, confirmation })) context.contribute(httpRoutes, route)
    context.onDispose(confirmation.watch((change) => void letters.follow(change)))
    const mail = createMail({ ...storing, accounts })
    context.provide(mailService, mail)
  },
})
export default plugin

function statusOf({ host, from, user, password }: MailSettings): MailStatus {
  const missing = host === undefined ? 'host' : from === undefined ? 'from' : undefined
  if (missing !== undefined)
    return { available: false, code: 'not_configured', reason: `No mail server is configured: mail.${missing} is not set.` }
  if (user !== undefined && password === undefined)
    return { available: false, code: 'password_missing', reason: 'mail.user is set, but mail.password is not.' }
  return { available: true }
}
