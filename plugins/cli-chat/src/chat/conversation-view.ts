import type { JsonObject } from '@agent-service/sdk'
import type { CommandContext, CommandEvent, CommandTextStyle } from '@agent-service/sdk/contracts/cli-command'
import { fallbackLine } from '../common/fallback-line.js'
import { madeFileLines } from '../common/made-file-lines.js'
import { createToolWordLines } from '../common/tool-words.js'

/** How a run ended. */
export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'cancelled'
  /** Why it failed. */
  readonly failure: string | undefined
}

/**
 * Writes one run to the terminal as its events arrive: text as it grows, tool calls, and how it
 * ended.
 */
export interface ConversationView {
  /** Shows an event. Resolves to the end of the run if it was its last. */
  show(event: CommandEvent): Promise<RunEnd | undefined>
  /** Shows what messages have of the run and has not been shown yet. */
  showMessages(messages: readonly JsonObject[]): Promise<void>
  /** Shows the end of a run, whose last event was lost. */
  showEnd(run: JsonObject): Promise<RunEnd>
  /** The text of the answer so far, without what was withdrawn. */
  answer(): string
}

/** What a view needs of a command. */
export type ViewContext = Pick<CommandContext, 'print' | 'write' | 'warn' | 'request'>

interface WrittenPart {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
}

/**
 * Shows the run with this id and ignores all others. `answerOnly`: the text of the answer alone
 * goes to standard output; notes about it go to standard error, and its reasoning nowhere.
 */
export function createConversationView(
  { print, write, warn, request }: ViewContext,
  runId: string,
  { answerOnly }: { readonly answerOnly: boolean },
): ConversationView {
  /** The written parts, by message and part. */
  const written = new Map<string, WrittenPart>()
  const lines = createToolWordLines({ request })
  let column: 'start' | 'text' | 'reasoning' = 'start'

  const beginLine = async (): Promise<void> => {
    if (column === 'start') return
    column = 'start'
    await print('')
  }
  const note = async (text: string, style: CommandTextStyle): Promise<void> => {
    await beginLine()
    await (answerOnly ? warn : print)(text, { style })
  }
  const writePart = async (key: string, kind: WrittenPart['kind'], offset: number, text: string): Promise<void> => {
    const before = written.get(key)?.text ?? ''
    const news = text.slice(Math.max(0, before.length - offset))
    if (news === '') return
    written.set(key, { kind, text: before + news })
    if (kind === 'reasoning' && answerOnly) return
    if (column !== kind) await beginLine()
    await write(news, kind === 'reasoning' ? { style: 'dim' } : {})
    column = news.endsWith('\n') ? 'start' : kind
  }
  const writeMessage = async (message: JsonObject): Promise<void> => {
    if (message['run_id'] !== runId || message['role'] !== 'assistant' || !Array.isArray(message['content'])) return
    for (const [index, part] of (message['content'] as readonly JsonObject[]).entries()) {
      if ((part['type'] === 'text' || part['type'] === 'reasoning') && typeof part['text'] === 'string')
        await writePart(`${String(message['id'])}/${index}`, part['type'], 0, part['text'])
    }
  }
  /** Withdraws the text of a message from a position on. */
  const withdraw = async ({ message_id, part, offset }: JsonObject): Promise<void> => {
    let withdrawn = false
    for (const [key, { kind, text }] of [...written]) {
      const [message, index] = key.split('/')
      if (message !== message_id || Number(index) < Number(part)) continue
      const kept = Number(index) === Number(part) ? text.slice(0, Number(offset)) : ''
      withdrawn ||= kept !== text
      if (kept === '') written.delete(key)
      else written.set(key, { kind, text: kept })
    }
    if (withdrawn) await note('(the answer starts over)', 'yellow')
  }
  const end = async (status: RunEnd['status'], failure: unknown): Promise<RunEnd> => {
    const reason = status === 'failed' ? String((failure as JsonObject | undefined)?.['message'] ?? '') : undefined
    if (status === 'completed') await beginLine()
    else if (status === 'cancelled') await note('(stopped)', 'yellow')
    else await note(`The answer was interrupted. ${reason}`.trim(), 'red')
    return { status, failure: reason }
  }

  return {
    async show({ name, data }) {
      if (data['run_id'] !== runId) return undefined
      const voided = data['void'] as JsonObject | undefined
      if (voided) await withdraw(voided)
      switch (name) {
        case 'text.delta':
        case 'reasoning.delta': {
          const kind = name === 'text.delta' ? 'text' : 'reasoning'
          const key = `${String(data['message_id'])}/${String(data['part'])}`
          await writePart(key, kind, Number(data['offset']), String(data['text']))
          return undefined
        }
        case 'message.updated':
          await writeMessage((data['message'] as JsonObject | undefined) ?? {})
          return undefined
        case 'tool_call.started':
          await note(await lines.call(data), 'dim')
          return undefined
        case 'tool_call.finished':
          await note(await lines.result(data), data['is_error'] === true ? 'red' : 'dim')
          for (const line of madeFileLines(data['files'])) await note(line, 'dim')
          return undefined
        case 'approval.requested':
        case 'approval.resolved':
          await beginLine()
          return undefined
        case 'run.retrying':
          await note(retryLine(data), 'yellow')
          return undefined
        case 'run.fallback':
          await note(fallbackLine(data), 'yellow')
          return undefined
        case 'run.reduced':
          await note(`(answered without ${leftOutWords(data['left_out'])}: ${String(data['reason'] ?? '')})`, 'yellow')
          return undefined
        case 'run.completed':
          return end('completed', undefined)
        case 'run.cancelled':
          return end('cancelled', undefined)
        case 'run.failed':
          return end('failed', data['failure'])
        default:
          return undefined
      }
    },
    async showMessages(messages) {
      for (const message of messages) await writeMessage(message)
    },
    showEnd: (run) => end(run['status'] as RunEnd['status'], run['failure']),
    answer: () =>
      [...written.values()]
        .flatMap(({ kind, text }) => (kind === 'text' ? [text] : []))
        .join('\n')
        .trimEnd(),
  }
}

const leftOutWords = (what: unknown): string =>
  what === 'tools' ? 'tools, which this model does not take' : 'pictures or files that the provider refused'

/** Which attempt follows, in how many seconds, and why. */
function retryLine({ attempt, max_attempts: max, delay_ms: delay, reason, failure }: JsonObject): string {
  const which = typeof attempt === 'number' && typeof max === 'number' ? `, attempt ${attempt + 1} of ${max}` : ''
  const when = typeof delay === 'number' && delay >= 1_000 ? ` in ${Math.ceil(delay / 1_000)} s` : ''
  return `(retrying${when}${which}: ${String(reason ?? failure ?? '')})`
}
