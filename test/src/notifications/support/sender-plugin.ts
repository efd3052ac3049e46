import { definePlugin, type Plugin } from '@agent-service/sdk'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import { type Notifications, notificationsService } from '@agent-service/sdk/services/notifications'

let services: { readonly database: Database; readonly notifications: Notifications } | undefined

/** Sends so many notifications to a person, a hundred in a transaction; their titles are their numbers. */
export async function sendMany(userId: string, count: number): Promise<void> {
  if (!services) throw new Error('The plugin has not started.')
  const { database, notifications } = services
  for (let first = 1; first <= count; first += 100)
    await database.transaction(async (transaction) => {
      for (let number = first; number < first + 100 && number <= count; number += 1) {
        const [key, text] = [String(number), 'x'.repeat(1_000)]
        await notifications.send({ to: { userId }, kind: 'sender-plugin.sent', key, title: key, text }, { transaction })
      }
    })
}

const plugin: Plugin = definePlugin({
  manifest: { id: 'sender-plugin', apiVersion: 1, description: 'Sends notifications.', contributes: [], requires: ['notifications'] },
  setup(context) {
    const notifications = context.use(notificationsService)
    services = { database: context.use(databaseService), notifications }
    context.onDispose(
      notifications.declare({
        ...{ id: 'sender-plugin.sent', app: true, mail: false, audience: 'everyone' },
        title: { en: 'Sent' },
        description: { en: 'Something was sent.' },
      }),
    )
    context.onDispose(() => {
      services = undefined
    })
  },
})
export default plugin
