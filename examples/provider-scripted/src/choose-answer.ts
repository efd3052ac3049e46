import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import type { ScriptedModel } from './configuration.js'

/** Ends every answer, so that no user takes the script for a model. */
export const demoNotice = '(This is a demo: the answer comes from a script, no model was asked.)'

/** What a scripted model does next: it says something, and may call a tool. */
export interface ScriptedAnswer {
  readonly text: string
  readonly call?: { readonly id: string; readonly name: string; readonly arguments: JsonObject }
}

/**
 * Depends on nothing but the request and the script: the same conversation always gets the same
 * answer.
 */
export function chooseAnswer(request: ModelRequest, model: ScriptedModel): ScriptedAnswer {
  // Instructions may stand behind the conversation.
  const last = request.messages.findLast(({ role }) => role !== 'system')
  const written = lastTextOf(request, 'user')
  if (last?.role === 'tool') return { text: `The tool says: ${resultsOf(last)}. ${demoNotice}` }
  const titled = /^----- material \S+ -----\nThe person:\n(.*)/.exec(written)?.[1]
  // The service asks for a title of the chat: its first line is one.
  if (titled !== undefined) return { text: titled }
  const wanted = toolCallIn(written, request)
  if (wanted) return { text: `I call ${wanted.name}. ${demoNotice}`, call: { id: `scripted_${request.messages.length}`, ...wanted } }
  const offersClock = request.tools.some((tool) => tool.name === 'get_time')
  if (model.calls_get_time && offersClock && /\b(time|clock|date|day)\b/i.test(written)) {
    const zone = /\b[A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+\b/.exec(written)?.[0]
    return {
      text: `Let me look at the clock. ${demoNotice}`,
      call: { id: `scripted_${request.messages.length}`, name: 'get_time', arguments: zone === undefined ? {} : { timezone: zone } },
    }
  }
  const found = model.answers.find((answer) => written.toLowerCase().includes(answer.when.toLowerCase()))
  const reply = (found?.reply ?? 'I have no line for that.').replaceAll('{message}', () => written)
  return { text: `${reply} ${demoNotice}` }
}

/**
 * `call roll_dice {"count": 3}`: a tool that is offered by that name, its plugin's id in front or
 * not.
 */
function toolCallIn(written: string, { tools }: ModelRequest): { readonly name: string; readonly arguments: JsonObject } | undefined {
  const [, word, input = '{}'] = /^call (\w+)(?: (\{.*\}))?$/s.exec(written.trim()) ?? []
  const name = tools.find((tool) => tool.name === word || tool.name.endsWith(`__${word}`))?.name
  const values = parsed(input)
  return name === undefined || values === undefined ? undefined : { name, arguments: values }
}

function parsed(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    return undefined
  }
}

/**
 * The service ends a person's message with a line that says when it was written, which is not part
 * of their text.
 */
const timeOfMessage = /^\[\w+ \d{4}-\d{2}-\d{2}, \d{2}:\d{2}, \S+ \(UTC[+-][\d:]+\)\]$/

const lastTextOf = (request: ModelRequest, role: 'user'): string => {
  const message = request.messages.findLast((candidate) => candidate.role === role)
  const texts = (message?.content ?? []).map((part) => (part.type === 'text' ? part.text : ''))
  return (timeOfMessage.test(texts.at(-1) ?? '') && texts.length > 1 ? texts.slice(0, -1) : texts).join(' ')
}

type ToolMessage = Extract<ModelRequest['messages'][number], { role: 'tool' }>

const resultsOf = (message: ToolMessage): string =>
  message.content.flatMap((result) => result.content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`))).join(', ')
