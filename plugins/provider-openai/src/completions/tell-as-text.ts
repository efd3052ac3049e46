import type { ModelMessage, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { filesAsText } from '@agent-service/sdk/provider-kit'

type Content = ToolResultPart['content']

/**
 * A message for a brand that takes only text: text files become text, other files and images a
 * note.
 */
export function mediaAsText(message: ModelMessage): ModelMessage {
  if (message.role === 'user') return { ...message, content: withoutMedia(message.content) }
  if (message.role !== 'tool') return message
  return { ...message, content: message.content.map((result) => ({ ...result, content: withoutMedia(result.content) })) }
}

const text = (value: string) => ({ type: 'text', text: value }) as const

const withoutMedia = (content: Content): Content =>
  filesAsText(content).map((part) => (part.type === 'image' ? text('(image left out)') : part))
