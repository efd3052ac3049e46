import { defineCommand, listAll, objectOf, textOf } from '@agent-service/sdk/contracts/cli-command'

const path = '/api/channels/pairings'

/** Shows who the person is in shared channels, or ends one of these pairings. */
export const unpairChannelCommand = defineCommand({
  name: 'channels unpair',
  summary: 'list who you are in shared channels, or stop being one of them',
  arguments: [{ name: 'id', description: 'the id in the list; without it the list is shown', required: false }],
  async run({ arguments: [id], request, print, table }) {
    if (id !== undefined) {
      await request('DELETE', `${path}/${encodeURIComponent(id)}`)
      await print('Ended. What is written there does not reach your agent any more.')
      return { status: 0, json: { id } }
    }
    const { items } = await listAll(request, path)
    const rows = items.map(({ sender, title }) => {
      const { id: own, name, sender_id: senderId } = objectOf(sender)
      return [textOf(own), textOf(name), textOf(senderId), textOf(title)]
    })
    if (rows.length === 0) await print('You are paired with no shared channel.')
    else await table([['ID', 'NAME', 'PERSON', 'CHANNEL'], ...rows], { whole: ['ID'] })
    return { status: 0, json: { items } }
  },
})
