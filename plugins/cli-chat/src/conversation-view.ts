import type { JsonObject } from '@agent-service/sdk'
import type { CommandContext, CommandEvent, CommandTextStyle } from '@agent-service/sdk/contracts/cli-command'

/**
 * Writes one run to the terminal as its events arrive: text as it grows, tool calls, and how it
 * ended.
 */
export interface ConversationView {
  /** Shows an event. Resolves to true if it was the run's last. */
  show(event: CommandEvent): Promise<boolean>
  /** After lost events: shows the rest of the run from its messages. */
  showRest(messages: readonly JsonObject[]): Promise<void>
}

/** Shows the run with this id and ignores all others. */
export function createConversationView({ print, write }: Pick<CommandContext, 'print' | 'write'>, runId: string): ConversationView {
  /** How much of each part has been written, by message and part. */
  const written = new Map<string, number>()
  let column: 'start' | 'text' | 'reasoning' = 'start'

  const beginLine = async (): Promise<void> => {
    if (column === 'start') return
    column = 'start'
    await print('')
  }
  const line = async (text: string, style: CommandTextStyle): Promise<void> => {
    await beginLine()
    await print(text, { style })
  }
  const writePart = async (key: string, kind: 'text' | 'reasoning', offset: number, text: string): Promise<void> => {
    const have = written.get(key) ?? 0
    const news = text.slice(Math.max(0, have - offset))
    if (news === '') return
    if (column !== kind) await beginLine()
    await write(news, kind === 'reasoning' ? { style: 'dim' } : {})
    written.set(key, Math.max(have, offset + text.length))
    column = kind
  }
  const writeMessage = async (message: JsonObject): Promise<void> => {
    if (message['run_id'] !== runId || message['role'] !== 'assistant' || !Array.isArray(message['content'])) return
    for (const [index, part] of (message['content'] as readonly JsonObject[]).entries()) {
      if ((part['type'] === 'text' || part['type'] === 'reasoning') && typeof part['text'] === 'string')
        await writePart(`${String(message['id'])}/${index}`, part['type'], 0, part['text'])
    }
  }
  const forget = async (messageId: string): Promise<void> => {
    for (const key of [...written.keys()]) if (key.startsWith(`${messageId}/`)) written.delete(key)
    await line('(the answer starts over)', 'yellow')
  }

  return {
    async show({ name, data }) {
      if (data['run_id'] !== runId) return false
      const voided = data['void'] as JsonObject | undefined
      if (voided) await forget(String(voided['message_id']))
      switch (name) {
        case 'text.delta':
        case 'reasoning.delta': {
          const kind = name === 'text.delta' ? 'text' : 'reasoning'
          const key = `${String(data['message_id'])}/${String(data['part'])}`
          await writePart(key, kind, Number(data['offset']), String(data['text']))
          return false
        }
        case 'message.updated':
          await writeMessage((data['message'] as JsonObject | undefined) ?? {})
          return false
        case 'tool_call.started':
          await line(`→ ${String(data['name'])} ${JSON.stringify(data['arguments'] ?? {})}  ${String(data['purpose'] ?? '')}`, 'dim')
          return false
        case 'tool_call.finished':
          await line(`← ${String(data['name'])} ${oneLine(data['content'])}`, data['is_error'] === true ? 'red' : 'dim')
          return false
        case 'approval.requested':
        case 'approval.resolved':
          await beginLine()
          return false
        case 'run.retrying':
          await line(`(retrying: ${String(data['reason'] ?? data['failure'] ?? '')})`, 'yellow')
          return false
        case 'run.completed':
          await beginLine()
          return true
        case 'run.cancelled':
          await line('(stopped)', 'yellow')
          return true
        case 'run.failed':
          await line(`The answer was interrupted. ${String((data['failure'] as JsonObject | undefined)?.['message'] ?? '')}`, 'red')
          return true
        default:
          return false
      }
    },
    async showRest(messages) {
      for (const message of messages) await writeMessage(message)
      await beginLine()
    },
  }
}

function oneLine(content: unknown): string {
  const parts = Array.isArray(content) ? (content as readonly JsonObject[]) : []
  const text = parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : `[${String(part['type'])}]`)).join(' ')
  const line = text.replace(/\s+/g, ' ')
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}
