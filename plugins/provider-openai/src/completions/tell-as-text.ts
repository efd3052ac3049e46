import type { ModelMessage, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { completionsResultText, filesAsText } from '@agent-service/sdk/provider-kit'

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

/**
 * A message for a brand that refuses tools: a call becomes text of the assistant, a result a user
 * message with its images.
 */
export function toolsAsText(message: ModelMessage): ModelMessage {
  if (message.role === 'assistant') {
    const said = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const calls = message.content
      .filter((part) => part.type === 'tool_call')
      .map((call) => `(called ${call.name} with ${JSON.stringify(call.arguments)})`)
    return { ...message, content: [text([said, ...calls].filter((each) => each !== '').join('\n'))] }
  }
  if (message.role !== 'tool') return message
  const answers = message.content.map((result) => `(${result.name} answered: ${completionsResultText(result)})`)
  const images = message.content.flatMap(({ content }) => content.filter((part) => part.type === 'image'))
  return { role: 'user', content: [text(answers.join('\n')), ...images] }
}

const text = (value: string) => ({ type: 'text', text: value }) as const

const withoutMedia = (content: Content): Content =>
  filesAsText(content).map((part) => (part.type === 'image' ? text('(image left out)') : part))
