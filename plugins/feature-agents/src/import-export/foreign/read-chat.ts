import { isChatGpt, readChatGpt } from './chatgpt.js'
import { isClaude, readClaude } from './claude.js'
import { type ForeignChat, ForeignChatError } from './foreign-chat.js'
import { isFields } from './json-values.js'
import { isLibreChat, readLibreChat } from './librechat.js'
import { isOpenWebUi, readOpenWebUi } from './open-webui.js'

/**
 * A chat of any product, which is recognised by what it has. @throws {@link ForeignChatError} with the
 * reason why it is none.
 */
export function readChat(value: unknown): ForeignChat {
  if (!isFields(value)) throw new ForeignChatError('it is not an object')
  if (isClaude(value)) return readClaude(value)
  if (isLibreChat(value)) return readLibreChat(value)
  if (isOpenWebUi(value)) return readOpenWebUi(value)
  if (isChatGpt(value)) return readChatGpt(value)
  if (value['format'] === 'agent-service.chat')
    throw new ForeignChatError('it is a chat of this service: send it to POST /api/chats/import')
  // What lacks the messages by which its product is known, but has the names around them.
  if ('create_time' in value && ('conversation_id' in value || 'title' in value))
    throw new ForeignChatError('it has no messages (“mapping”)')
  throw new ForeignChatError('it is no chat of ChatGPT, Claude, Open WebUI or LibreChat')
}
