import { defineCommand, objectOf, shownTime } from '@agent-service/sdk/contracts/cli-command'
import { targetOf } from './share-words.js'

const daySeconds = 86_400

/** A path as a person types it: below “files”, unless it names one of the two top folders. */
const pathOf = (typed: string): string => (/^(files|workspaces)(\/|$)/.test(typed) ? typed : `files/${typed}`)

/** Makes a link to a file or a chat, and prints it once. */
export const createShareCommand = defineCommand({
  name: 'shares create',
  summary: 'share a file by a link that works without a sign-in, or a chat with --chat',
  arguments: [{ name: 'file', description: 'the file, such as report.pdf or workspaces/assistant/notes.md', required: false }],
  options: [
    { name: 'chat', description: 'share this chat as it is now, in place of a file', value: 'id' },
    { name: 'days', description: 'after how many days the link stops working, if earlier than usual', value: 'number' },
  ],
  async run({ arguments: [path], options, request, print, warn }) {
    const { chat, days } = options
    if ((path === undefined) === (chat === undefined)) {
      await warn('Name a file, or a chat with --chat.', { style: 'red' })
      return { status: 1 }
    }
    if (days !== undefined && !/^[1-9]\d{0,4}$/.test(String(days))) {
      await warn(`--days must be a whole number of days, not “${String(days)}”.`, { style: 'red' })
      return { status: 1 }
    }
    const share = objectOf(
      await request('POST', '/api/shares', {
        ...(path !== undefined && { path: pathOf(path) }),
        ...(typeof chat === 'string' && { chat_id: chat }),
        ...(days !== undefined && { expires_in_secs: Number(days) * daySeconds }),
      }),
    )
    await print(`Everyone with the link can read ${targetOf(share)} until ${shownTime(share['expires_at'])} UTC.`)
    await print(`Page: ${String(share['page_url'])}`)
    await print(`Content: ${String(share['content_url'])}`)
    await print(`The link is not shown again. To revoke it: agent-service shares revoke ${String(share['id'])}`)
    return { status: 0, json: share }
  },
})
