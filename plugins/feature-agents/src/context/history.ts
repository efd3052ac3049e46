import type { ModelMessage, TextPart, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { withoutReasoning } from '@agent-service/sdk/model-answers'
import type { Database } from '@agent-service/sdk/services/database'
import { saysSomething } from '../common/says-something.js'
import { temporalFormatter } from '../prompts/temporal-part.js'
import { messagesAlong } from '../store/chats/branch-messages.js'
import type { Segment } from '../store/chats/chat.js'
import type { Message, MessageSender } from '../store/chats/message.js'
import { estimateTokens } from './estimate-tokens.js'
import { personContent } from './file-lines.js'

/**
 * Omits whole turns from the front until the rest fits. A turn begins with a person's message; the
 * newest one always stays. What a person writes after tool results, or after another message of
 * theirs, belongs to the current turn, which would make no sense without its beginning.
 */
export function keepWithin(messages: readonly ModelMessage[], budgetTokens: number): readonly ModelMessage[] {
  const sizes = messages.map((message) => estimateTokens(message.content))
  let tokens = sizes.reduce((sum, size) => sum + size, 0)
  const beginsTurn = (message: ModelMessage | undefined, index: number): boolean =>
    message?.role === 'user' && (index === 0 || messages[index - 1]?.role === 'assistant')
  const newestTurn = messages.findLastIndex(beginsTurn)
  let start = 0
  while (tokens > budgetTokens && start < newestTurn) {
    do {
      tokens -= sizes[start] ?? 0
      start += 1
    } while (start < newestTurn && !beginsTurn(messages[start], start))
  }
  return start === 0 ? messages : messages.slice(start)
}

/** The part of a conversation that was read. */
export interface LoadedHistory {
  readonly messages: readonly ModelMessage[]
  /** The sequence of the oldest message that was read; undefined if there is none. */
  readonly from: number | undefined
  /** Whether older messages that are not summarised were left out. */
  readonly cut: boolean
}

/**
 * What a model is shown of a chat: the newest messages that fit, from the beginning of a turn on.
 * Older ones are left out of the prompt and stay in the store. The newest turn is always included.
 * `from`: older messages are not read, since a summary replaces them. `to`: nor are messages from
 * this sequence on. `latest`: a message after all stored ones.
 */
export async function loadHistory(
  database: Database,
  place: {
    readonly path: readonly Segment[]
    readonly from?: number
    readonly to?: number
    readonly timezone: string
    /** That of the agent that answers. */
    readonly workspace: string
    readonly latest?: Message
  },
  budgetTokens: number,
): Promise<LoadedHistory> {
  const newestFirst: Message[] = place.latest ? [place.latest] : []
  let tokens = place.latest ? estimateTokens(place.latest.content) : 0
  let cut = false
  const range = { from: place.from ?? 0, ...(place.to === undefined ? {} : { to: place.to }) }
  for await (const message of messagesAlong(database, place.path, { order: 'descending', ...range })) {
    tokens += estimateTokens(message.content)
    if (tokens > budgetTokens && newestFirst.some((kept) => kept.role === 'user')) {
      cut = true
      break
    }
    newestFirst.push(message)
  }
  const all = newestFirst.reverse()
  // Whole turns only: messages before the first message of a person belong to a turn that was cut.
  const start = cut ? all.findIndex((message) => message.role === 'user') : 0
  const kept = start > 0 ? all.slice(start) : all
  return { messages: toModelMessages(kept, place), from: kept[0]?.sequence, cut }
}

/** Says that no person wrote a message. It depends on the message alone, as the time does. */
const senderPart = ({ name }: MessageSender): TextPart => ({
  type: 'text',
  text: `[Written by ${name === null ? 'another agent' : `the agent “${name}”`} of this person, not by the person.]`,
})

/**
 * Stored messages as a model sees them. Every tool call gets exactly one result, even if a run was
 * stopped before it had one, and nothing stands between a call and its result: what a person wrote
 * meanwhile follows it. A person's message ends with the agent that wrote it in their place, if one
 * did, and with the time at which it was written, in the given zone; lines before its text name the
 * files of the given workspace. These lines are the same in every later request, so that vendors can
 * cache everything before the newest message.
 */
export function toModelMessages(
  messages: readonly Message[],
  { timezone, workspace }: { readonly timezone: string; readonly workspace: string },
): readonly ModelMessage[] {
  const temporalLine = temporalFormatter(timezone)
  const result: ModelMessage[] = []
  let unanswered: ToolCallPart[] = []
  let callingRun = ''
  const pushPerson = (message: Message): void => {
    const content = personContent(message, workspace)
    const from = message.sent_by ? [senderPart(message.sent_by)] : []
    if (content.length > 0) result.push({ role: 'user', content: [...content, ...from, temporalLine(message.created_at)] })
  }
  /** What a person wrote to the run whose calls are unanswered. */
  let held: Message[] = []
  const pushHeld = (): void => {
    for (const message of held) pushPerson(message)
    held = []
  }
  const answerRest = (): void => {
    if (unanswered.length === 0) return
    result.push({ role: 'tool', content: unanswered.map(notCompleted) })
    unanswered = []
  }
  for (const message of messages) {
    if (message.status === 'open') continue
    if (message.role === 'tool') {
      // Every vendor would refuse a result without its call.
      const asked = new Set(unanswered.map((call) => call.call_id))
      const results = message.content.filter((part): part is ToolResultPart => part.type === 'tool_result' && asked.has(part.call_id))
      const answered = new Set(results.map((part) => part.call_id))
      const rest = unanswered.filter((call) => !answered.has(call.call_id)).map(notCompleted)
      unanswered = []
      if (results.length + rest.length > 0) result.push({ role: 'tool', content: [...results, ...rest] })
      pushHeld()
      continue
    }
    if (message.role === 'user') {
      if (unanswered.length > 0 && message.run_id === callingRun) {
        held.push(message)
        continue
      }
      answerRest()
      pushHeld()
      pushPerson(message)
      continue
    }
    answerRest()
    pushHeld()
    const content = message.content.filter((part) => part.type !== 'file' && part.type !== 'tool_result')
    // Only the text of an answer that broke off counts.
    const shown = (message.status === 'complete' ? content : content.filter((part) => part.type === 'text')).flatMap(saidPart)
    // Vendors refuse a turn of nothing but blanks, or of reasoning that nothing follows.
    if (!shown.some(saysSomething)) continue
    result.push({ role: 'assistant', content: shown })
    unanswered = shown.filter((part) => part.type === 'tool_call')
    callingRun = message.run_id
  }
  answerRest()
  pushHeld()
  return result
}

/** Reasoning that was stored in the text is no text of the model: vendors ask to leave it out. */
function saidPart<Part extends { readonly type: string }>(part: Part | TextPart): readonly (Part | TextPart)[] {
  if (part.type !== 'text' || !('text' in part)) return [part]
  const text = withoutReasoning(part.text)
  if (text === part.text) return [part]
  return text === '' ? [] : [{ ...part, text }]
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
