import type { JsonObject } from '@agent-service/sdk'
import type { StreamEvent } from '../api-client.js'
import type { Terminal } from '../terminal.js'

/** Writes one run to the terminal as its events come: text as it grows, tool calls, and how it ended. */
export interface ConversationView {
  /** Takes an event of the run. Resolves to true when it was the run's last. */
  show(event: StreamEvent): boolean
  /** The stream could not be resumed: what has been shown stays, the rest comes from the messages. */
  showRest(messages: readonly JsonObject[]): void
}

export function createConversationView(terminal: Terminal, runId: string): ConversationView {
  /** How much of each part has been written, by message and part. */
  const written = new Map<string, number>()
  let column: 'start' | 'text' | 'reasoning' = 'start'

  const freshLine = (): void => {
    if (column !== 'start') terminal.line('')
    column = 'start'
  }
  const writePart = (key: string, kind: 'text' | 'reasoning', offset: number, text: string): void => {
    const have = written.get(key) ?? 0
    const news = text.slice(Math.max(0, have - offset))
    if (news === '') return
    if (column !== 'start' && column !== kind) freshLine()
    terminal.write(kind === 'reasoning' ? terminal.style('dim', news) : news)
    written.set(key, Math.max(have, offset + text.length))
    column = kind
  }
  const writeMessage = (message: JsonObject): void => {
    if (message['run_id'] !== runId || message['role'] !== 'assistant' || !Array.isArray(message['content'])) return
    for (const [index, part] of (message['content'] as readonly JsonObject[]).entries()) {
      if ((part['type'] === 'text' || part['type'] === 'reasoning') && typeof part['text'] === 'string') {
        writePart(`${String(message['id'])}/${index}`, part['type'], 0, part['text'])
      }
    }
  }

  return {
    show({ name, data }) {
      if (data['run_id'] !== runId) return false
      const voided = data['void'] as JsonObject | undefined
      if (voided) {
        for (const key of [...written.keys()]) if (key.startsWith(`${String(voided['message_id'])}/`)) written.delete(key)
        freshLine()
        terminal.line(terminal.style('yellow', '(the answer starts again)'))
      }
      switch (name) {
        case 'text.delta':
        case 'reasoning.delta':
          writePart(
            `${String(data['message_id'])}/${String(data['part'])}`,
            name === 'text.delta' ? 'text' : 'reasoning',
            Number(data['offset']),
            String(data['text']),
          )
          return false
        case 'message.updated':
          writeMessage((data['message'] as JsonObject | undefined) ?? {})
          return false
        case 'tool_call.started':
          freshLine()
          terminal.line(
            terminal.style('dim', `→ ${String(data['name'])} ${JSON.stringify(data['arguments'] ?? {})}  ${String(data['purpose'] ?? '')}`),
          )
          return false
        case 'tool_call.finished':
          freshLine()
          terminal.line(terminal.style(data['is_error'] === true ? 'red' : 'dim', `← ${String(data['name'])} ${oneLine(data['content'])}`))
          return false
        case 'approval.requested':
        case 'approval.resolved':
          freshLine()
          return false
        case 'run.retrying':
          freshLine()
          terminal.line(terminal.style('yellow', `(trying again: ${String(data['reason'] ?? data['failure'] ?? '')})`))
          return false
        case 'run.completed':
          freshLine()
          return true
        case 'run.cancelled':
          freshLine()
          terminal.line(terminal.style('yellow', '(stopped)'))
          return true
        case 'run.failed': {
          freshLine()
          const failure = data['failure'] as JsonObject | undefined
          terminal.line(terminal.style('red', `The answer broke off. ${String(failure?.['message'] ?? '')}`))
          return true
        }
        default:
          return false
      }
    },
    showRest(messages) {
      for (const message of messages) writeMessage(message)
      freshLine()
    },
  }
}

function oneLine(content: unknown): string {
  const parts = Array.isArray(content) ? (content as readonly JsonObject[]) : []
  const text = parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : `[${String(part['type'])}]`)).join(' ')
  const line = text.replace(/\s+/g, ' ')
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}
