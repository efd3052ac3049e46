import type { ContentPart, ModelMessage, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Database } from '@agent-service/sdk/services/database'
import { type Message, messageCollection } from '../messages/message.js'

/** A safe estimate where no tokenizer is known: four characters a token. Pictures and files count a thousand. */
export function estimateTokens(content: readonly ContentPart[]): number {
  let characters = 0
  for (const part of content) {
    if (part.type === 'text' || part.type === 'reasoning') characters += part.text.length
    else if (part.type === 'tool_call') characters += part.name.length + JSON.stringify(part.arguments).length
    else if (part.type === 'tool_result')
      characters += part.content.reduce((sum, item) => sum + (item.type === 'text' ? item.text.length : 4_000), 0)
    else characters += 4_000
  }
  return Math.ceil(characters / 4) + 4
}

/** Leaves out whole turns from the front until the rest fits. A turn begins with a person's message; the newest one always stays. */
export function keepWithin(messages: readonly ModelMessage[], budgetTokens: number): readonly ModelMessage[] {
  const sizes = messages.map((message) => estimateTokens(message.content))
  let tokens = sizes.reduce((sum, size) => sum + size, 0)
  const newestTurn = messages.findLastIndex((message) => message.role === 'user')
  let start = 0
  while (tokens > budgetTokens && start < newestTurn) {
    do {
      tokens -= sizes[start] ?? 0
      start += 1
    } while (start < newestTurn && messages[start]?.role !== 'user')
  }
  return start === 0 ? messages : messages.slice(start)
}

/**
 * What a model is shown of a chat: the newest messages that fit, from the beginning of a turn on. Older ones are left out of the prompt and stay in
 * the store. The newest turn is always there. `latest`: a message behind all that are stored.
 */
export async function loadHistory(
  database: Database,
  chatId: string,
  budgetTokens: number,
  latest?: Message,
): Promise<readonly ModelMessage[]> {
  const messages = database.collection(messageCollection)
  const newestFirst: Message[] = latest ? [latest] : []
  let tokens = latest ? estimateTokens(latest.content) : 0
  let cursor: string | undefined
  let full = false
  do {
    const page = await messages.query({
      index: 'by_chat',
      equals: [chatId],
      order: 'descending',
      limit: 50,
      ...(cursor === undefined ? {} : { cursor }),
    })
    for (const message of page.items) {
      tokens += estimateTokens(message.content)
      if (tokens > budgetTokens && newestFirst.some((kept) => kept.role === 'user')) {
        full = true
        break
      }
      newestFirst.push(message)
    }
    cursor = full ? undefined : page.nextCursor
  } while (cursor !== undefined)

  const kept = newestFirst.reverse()
  // Whole turns only: what comes before the first message of a person belongs to a turn that was cut.
  const start = kept.findIndex((message) => message.role === 'user')
  return toModelMessages(start > 0 ? kept.slice(start) : kept)
}

/** Stored messages as a model sees them. Every tool call gets exactly one result, also where a run was stopped before it had one. */
export function toModelMessages(messages: readonly Message[]): readonly ModelMessage[] {
  const result: ModelMessage[] = []
  let unanswered: ToolCallPart[] = []
  const answerRest = (): void => {
    if (unanswered.length === 0) return
    result.push({ role: 'tool', content: unanswered.map(notCompleted) })
    unanswered = []
  }
  for (const message of messages) {
    if (message.status === 'open') continue
    if (message.role === 'tool') {
      // A result whose call is not there would be refused by every vendor.
      const asked = new Set(unanswered.map((call) => call.call_id))
      const results = message.content.filter((part): part is ToolResultPart => part.type === 'tool_result' && asked.has(part.call_id))
      const answered = new Set(results.map((part) => part.call_id))
      const rest = unanswered.filter((call) => !answered.has(call.call_id)).map(notCompleted)
      unanswered = []
      if (results.length + rest.length > 0) result.push({ role: 'tool', content: [...results, ...rest] })
      continue
    }
    answerRest()
    if (message.role === 'user') {
      const content = message.content.filter((part) => part.type === 'text' || part.type === 'image' || part.type === 'file')
      if (content.length > 0) result.push({ role: 'user', content })
      continue
    }
    const content = message.content.filter((part) => part.type === 'text' || part.type === 'reasoning' || part.type === 'tool_call')
    // An answer that broke off counts with its text alone.
    const shown = message.status === 'complete' ? content : content.filter((part) => part.type === 'text')
    if (shown.length === 0) continue
    result.push({ role: 'assistant', content: shown })
    unanswered = shown.filter((part) => part.type === 'tool_call')
  }
  answerRest()
  return result
}

function notCompleted(call: ToolCallPart): ToolResultPart {
  return {
    type: 'tool_result',
    call_id: call.call_id,
    ...(call.provider_call_id === undefined ? {} : { provider_call_id: call.provider_call_id }),
    name: call.name,
    content: [{ type: 'text', text: 'This call has no result: the run was stopped. It may or may not have had its effect.' }],
    is_error: true,
    outcome: 'unknown',
  }
}
