import type { ModelMessage } from '../../contracts/provider-adapter/request.js'
import { completionsResultText } from './build-messages.js'

/**
 * A message for a model that takes no tools: a call becomes text of the assistant, results a message of the user with their images. Without
 * tools in a request, vendors refuse calls and results in its history.
 */
export function toolsAsText(message: ModelMessage): ModelMessage {
  if (message.role === 'assistant') {
    if (!message.content.some((part) => part.type === 'tool_call')) return message
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
