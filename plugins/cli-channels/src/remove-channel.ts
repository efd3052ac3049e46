import { defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { connectionArgument, connectionPath } from './words.js'

/** Deletes a connection. */
export const removeChannelCommand = defineCommand({
  name: 'channels remove',
  summary: 'delete a connection, with its people and what waits; the chats stay',
  arguments: [connectionArgument],
  async run({ arguments: [id = ''], request, print }) {
    await request('DELETE', connectionPath(id))
    await print('The connection is deleted.')
    return { status: 0, json: { id } }
  },
})
