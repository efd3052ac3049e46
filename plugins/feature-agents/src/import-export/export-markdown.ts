import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Database } from '@agent-service/sdk/services/database'
import { messagesAlong } from '../store/chats/branch-messages.js'
import type { Chat } from '../store/chats/chat.js'
import type { Attachment, Message } from '../store/chats/message.js'
import { inChunks } from './export-chat.js'

/**
 * A chat as Markdown: the speakers and texts of the branch that is shown, and the names of called
 * tools.
 */
export async function* exportMarkdown(database: Database, chat: Chat, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const pieces = async function* (): AsyncIterable<string> {
    yield `# ${(chat.title ?? 'Chat').replaceAll(/\s+/g, ' ')}\n`
    let speaker: Message['role'] | undefined
    for await (const message of messagesAlong(database, chat.path, { order: 'ascending', to: chat.message_count })) {
      signal.throwIfAborted()
      if (message.role === 'tool' || message.status === 'open') continue
      const text = markdownText(message.content, message.attachments)
      if (text === '' && message.status === 'complete') continue
      // The steps of one answer share one heading.
      const heading = message.role === 'assistant' && speaker === 'assistant' ? '' : `\n## ${speakerOf(message)}\n`
      const said = text === '' ? '' : `\n${text}\n`
      yield `${heading}${said}${endOf(message, text)}`
      speaker = message.role
    }
  }
  yield* inChunks(pieces())
}

/** That an answer is not whole. */
const endOf = ({ status }: Message, text: string): string =>
  status === 'complete' ? '' : text === '' ? '\n*(No answer came.)*\n' : '\n*(The answer broke off.)*\n'

/** Who wrote a message: the person, the chat's agent, or by its name another one that asked it. */
const speakerOf = ({ role, sent_by: sender }: Pick<Message, 'role' | 'sent_by'>): string =>
  role === 'user' ? (sender ? `Agent ${sender.name ?? ''}`.trim().replaceAll(/\s+/g, ' ') : 'Person') : 'Agent'

/** The texts of a message, with the names of what else it has. `attachments`: the origins of its first parts. */
export const markdownText = (content: readonly ContentPart[], attachments: readonly Attachment[] = []): string =>
  content
    .map((part, index) => markdownOf(part, attachments[index]?.name))
    .filter((piece) => piece !== '')
    .join('\n\n')

const plain = (name: string): string => name.replaceAll(/[*_`\s]+/g, ' ')

function markdownOf(part: ContentPart, name: string | undefined): string {
  switch (part.type) {
    case 'text':
      return part.text.trim()
    case 'image':
      return name === undefined ? '*(an image)*' : `*(the image ${plain(name)})*`
    case 'file':
      return `*(the file ${plain(part.name)})*`
    case 'tool_call':
      return `*(used the tool ${part.name.replaceAll(/[*`\s]+/g, ' ')})*`
    case 'reasoning':
    case 'tool_result':
      return ''
  }
}
