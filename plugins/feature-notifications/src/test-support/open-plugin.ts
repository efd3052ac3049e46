import type { DeliveredEvent } from '@agent-service/sdk/services/events'
import { mailService } from '@agent-service/sdk/services/mail'
import { type NotificationInput, type Notifications, notificationsService } from '@agent-service/sdk/services/notifications'
import { createFakeMail, createTestContext, type FakeMail, type GivenServices, type PluginTestContext } from '@agent-service/sdk/testing'
import plugin from '../index.js'

/** The plugin with what it uses in memory. */
export interface OpenedPlugin {
  readonly host: PluginTestContext
  readonly mail: FakeMail
  readonly notifications: Notifications
  /** Sends, and delivers what was sent, as often as said. */
  send(notification: Partial<NotificationInput>, options?: { readonly deliveries?: number; readonly attempt?: number }): Promise<void>
  dispose(): Promise<void>
}

export const ada = { userId: 'user-1' }

export async function openPlugin(settings: object = {}, services: GivenServices = []): Promise<OpenedPlugin> {
  const mail = createFakeMail()
  const host = createTestContext(plugin, { config: settings, services: [[mailService, mail], ...services] })
  await host.setup()
  const notifications = host.provided(notificationsService)
  if (!notifications) throw new Error('The plugin provided no notifications.')
  notifications.declare({
    ...{ id: 'task.failed', app: true, mail: false, audience: 'everyone', mailsPerHour: 3 },
    title: { en: 'A task failed', de: 'Eine Aufgabe ist gescheitert' },
    description: { en: 'A task could not be completed.' },
  })
  notifications.declare({
    ...{ id: 'backup.failed', app: true, mail: true, audience: 'admins' },
    title: { en: 'A backup failed' },
    description: { en: 'A backup could not be made.' },
  })
  let count = 0
  return {
    ...{ host, mail, notifications },
    async send(notification, { deliveries = 1, attempt = 1 } = {}) {
      const before = host.services.events.recorded.length
      await notifications.send({ to: ada, kind: 'task.failed', key: 'k', title: 'Invoices', text: 'It failed.', ...notification })
      for (const event of host.services.events.recorded.slice(before)) {
        count += 1
        const recordedAt = new Date(host.services.clock.now()).toISOString()
        const delivered: DeliveredEvent = { ...event, kind: 'event', id: `event-${count}`, recordedAt, attempt }
        for (let times = 0; times < deliveries; times += 1) await host.services.events.deliver(delivered)
      }
    },
    dispose: () => host.dispose(),
  }
}
