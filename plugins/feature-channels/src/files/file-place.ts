import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import type { Run } from '@agent-service/sdk/services/runs'
import { fileNotSentError } from '../common/errors.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { type Connection, connectionCollection } from '../store/connection.js'
import { type Conversation, conversationCollection, conversationKind } from '../store/conversation.js'

/** The name of the tool, by which connections give it to guests. */
export const sendFileName = 'send_file'

/** Where the files of a call go. */
export interface FilePlace {
  readonly connection: Connection
  readonly conversation: Conversation
}

/**
 * The conversation in which the run of a call answers. Guests have none unless the chat and, as it is now,
 * the connection give them the tool. @throws `file_not_sent`.
 */
export async function filePlaceOf(parts: Pick<ChannelParts, 'database' | 'runs'>, context: ToolContext): Promise<FilePlace> {
  const { userId, guests } = context
  const reportsTo = (await runOf(parts, context))?.reportsTo
  if (reportsTo?.kind !== conversationKind)
    throw fileNotSentError.create({ reason: 'This chat goes on in no channel here. Say in your answer where the file is.' })
  const conversation = await parts.database.collection(conversationCollection).get(reportsTo.id)
  const connection = conversation && (await parts.database.collection(connectionCollection).get(conversation.connection_id))
  if (!connection || conversation.user_id !== userId) throw fileNotSentError.create({ reason: 'The connection of this chat is gone.' })
  const isForGuests = guests === undefined || (guests.tools.includes(sendFileName) && connection.guest_tools.includes(sendFileName))
  if (!isForGuests) throw fileNotSentError.create({ reason: 'No files are sent to the people of this chat.' })
  return { connection, conversation }
}

async function runOf({ runs }: Pick<ChannelParts, 'runs'>, { userId, runId }: ToolContext): Promise<Run | undefined> {
  try {
    return await runs.get({ userId, runId })
  } catch (error) {
    if (notFoundError.isInstance(error)) return undefined
    throw error
  }
}
