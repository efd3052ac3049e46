import { defineError, type JsonObject } from '@agent-service/sdk'
import type { ApiClient, StreamEvent } from '../api-client.js'
import { serviceProblemError } from '../errors.js'
import type { Terminal } from '../terminal.js'
import type { LineSource } from './line-source.js'
import { questionLines, readReply } from './read-reply.js'

/** The run waits for a person, and nobody can be asked here. */
export const waitingForPersonError = defineError<{ readonly chatId: string }>({
  code: 'waiting_for_person',
  status: 409,
  title: 'Waiting for an answer',
  message: ({ chatId }) =>
    `The agent waits for an answer of yours. Give it in the console, or here with: agent-service chat --chat ${chatId}`,
})

/** Puts the questions of a run to the person at the terminal, one after the other. */
export interface QuestionDesk {
  /** Takes an event: a question that begins, or one that is over, here or elsewhere. */
  show(event: StreamEvent): void
  /** A question from the list of those that are open. */
  ask(asked: JsonObject): void
  /** Rejects where the person cannot be asked any more: the input has ended. Never resolves. */
  readonly unanswered: Promise<never>
  close(): void
}

/** `lines`: absent where nobody can be asked. */
export function createQuestionDesk(dependencies: {
  readonly client: ApiClient
  readonly terminal: Terminal
  readonly lines: LineSource | undefined
}): QuestionDesk {
  const { client, terminal, lines } = dependencies
  const open = new Map<string, JsonObject>()
  const closing = new AbortController()
  let current: { readonly id: string; readonly controller: AbortController } | undefined
  let fail: (error: unknown) => void = () => undefined
  const unanswered = new Promise<never>((_, reject) => {
    fail = reject
  })
  // Whoever follows the run looks at it; until then it is not unhandled.
  unanswered.catch(() => undefined)

  const send = async (asked: JsonObject, body: JsonObject): Promise<void> => {
    try {
      await client.request('POST', `/api/runs/${String(asked['run_id'])}/approvals/${String(asked['call_id'])}`, body)
    } catch (error) {
      // Somebody else was faster, or it is too late: that is told, and the conversation goes on.
      if (!serviceProblemError.isInstance(error)) throw error
      terminal.problem(error.message)
    }
  }

  const put = async (id: string, asked: JsonObject, signal: AbortSignal): Promise<void> => {
    if (!lines) throw waitingForPersonError.create({ chatId: String(asked['chat_id']) })
    const [first = '', ...rest] = questionLines(asked)
    terminal.line(terminal.style('bold', first))
    for (const line of rest) terminal.line(line)
    for (;;) {
      const line = await lines.next(terminal.style('bold', 'answer> '), { fresh: true, signal })
      if (line === undefined) throw waitingForPersonError.create({ chatId: String(asked['chat_id']) })
      const reply = readReply(asked, line)
      if (reply) {
        open.delete(id)
        return send(asked, reply)
      }
      terminal.line(asked['kind'] === 'question' ? 'Type an answer, or /skip.' : 'Type y or n.')
    }
  }

  const putNext = (): void => {
    const [next] = open
    if (current || !next || closing.signal.aborted) return
    const [id, asked] = next
    const controller = new AbortController()
    current = { id, controller }
    put(id, asked, AbortSignal.any([controller.signal, closing.signal]))
      .catch((error: unknown) => {
        if (controller.signal.aborted || closing.signal.aborted) return
        closing.abort(error)
        fail(error)
      })
      .finally(() => {
        current = undefined
        putNext()
      })
  }

  const ask = (asked: JsonObject): void => {
    const id = String(asked['call_id'])
    if (open.has(id)) return
    open.set(id, asked)
    putNext()
  }

  return {
    unanswered,
    ask,
    show({ name, data }) {
      const approval = data['approval'] as JsonObject | undefined
      if (!approval) return
      if (name === 'approval.requested') ask(approval)
      if (name !== 'approval.resolved') return
      const id = String(approval['call_id'])
      if (!open.delete(id)) return
      if (current?.id === id) {
        terminal.line('')
        current.controller.abort(new DOMException('The question is over.', 'AbortError'))
      }
      terminal.line(terminal.style('yellow', `(${String(approval['tool'])}: ${String(approval['status'])})`))
    },
    close: () => closing.abort(new DOMException('The conversation is over.', 'AbortError')),
  }
}
