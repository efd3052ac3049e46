import { defineCommand, objectOf } from '@agent-service/sdk/contracts/cli-command'

/** Marks one notification as read, or all of them. */
export const readNotificationsCommand = defineCommand({
  name: 'notifications read',
  summary: 'show a notification and mark it as read; without one, mark all as read',
  arguments: [{ name: 'notification', description: 'the notification, as “notifications list” lists it', required: false }],
  async run({ arguments: [id], request, print }) {
    if (id === undefined) {
      const all = objectOf(await request('POST', '/api/notifications/read', {}))
      await print('All notifications are read.')
      return { status: 0, json: all }
    }
    const notification = objectOf(await request('PATCH', `/api/notifications/${encodeURIComponent(id)}`, { read: true }))
    await print(String(notification['title']), { style: 'bold' })
    for (const line of String(notification['text']).split(/\r?\n/)) if (line.trim() !== '') await print(line)
    return { status: 0, json: notification }
  },
})
