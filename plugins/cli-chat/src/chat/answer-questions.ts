import { defineError, type JsonObject, ServiceError } from '@agent-service/sdk'
import type { CommandContext, CommandEvent } from '@agent-service/sdk/contracts/cli-command'
import { allowedBy, questionLines, type Reply, readReply, replyHint } from './read-reply.js'

/** The run waits for an answer, and there is no one to ask here. */
export const waitingForPersonError = defineError<{ readonly chatId: string }>({
  code: 'waiting_for_person',
  status: 409,
  title: 'Waiting for an answer',
  message: ({ chatId }) => `The agent is waiting for your answer. Answer in the console, or here with: agent-service chat --chat ${chatId}`,
})

/** Asks the person at the terminal the questions of a run, one after the other. */
export interface QuestionPrompts {
  /** Handles an event: a question that was asked, or one that was resolved, here or elsewhere. */
  show(event: CommandEvent): Promise<void>
  /** Adds a question from the list of pending ones. */
  ask(asked: JsonObject): void
  /** Rejects when the person can no longer be asked because the input has ended. Never resolves. */
  readonly unanswered: Promise<never>
  /** Withdraws the current question. */
  close(): void
}

/** `asks`: whether there is a person to ask; otherwise the first question fails. */
export function createQuestionPrompts(context: CommandContext, { asks }: { readonly asks: boolean }): QuestionPrompts {
  const { print } = context
  const open = new Map<string, JsonObject>()
  const closing = new AbortController()
  let current: { readonly id: string; readonly controller: AbortController } | undefined
  let fail: (error: unknown) => void = () => undefined
  const unanswered = new Promise<never>((_, reject) => {
    fail = reject
  })
  // Whoever follows the run handles it from then on.
  unanswered.catch(() => undefined)

  const putNext = (): void => {
    const [next] = open
    if (current || !next || closing.signal.aborted) return
    const [id, asked] = next
    const controller = new AbortController()
    current = { id, controller }
    const signal = AbortSignal.any([controller.signal, closing.signal])
    const answered = (): void => void open.delete(id)
    putQuestion(context, asked, { asks, signal, answered })
      .catch((error: unknown) => {
        if (signal.aborted) return
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
    async show({ name, data }) {
      const approval = data['approval'] as JsonObject | undefined
      if (!approval) return
      if (name === 'approval.requested') ask(approval)
      if (name !== 'approval.resolved') return
      const id = String(approval['call_id'])
      if (!open.delete(id)) return
      if (current?.id === id) current.controller.abort(new DOMException('The question is over.', 'AbortError'))
      await print(`(${String(approval['tool'])}: ${String(approval['status'])})`, { style: 'yellow' })
      await printAllowed(context, approval)
    },
    close: () => closing.abort(new DOMException('The conversation is over.', 'AbortError')),
  }
}

/**
 * Asks until the reply is valid and sends it. `answered` is called before it is sent. @throws
 * `waiting_for_person` at the end of the input.
 */
async function putQuestion(
  context: CommandContext,
  asked: JsonObject,
  { asks, signal, answered }: { readonly asks: boolean; readonly signal: AbortSignal; readonly answered: () => void },
): Promise<void> {
  const { print, readLine } = context
  const unanswerable = (): Error => waitingForPersonError.create({ chatId: String(asked['chat_id']) })
  if (!asks) throw unanswerable()
  const [first = '', ...rest] = questionLines(asked)
  await print(first, { style: 'bold' })
  for (const line of rest) await print(line)
  for (;;) {
    const line = await readLine({ prompt: 'answer> ', fresh: true, signal })
    if (line === undefined) throw unanswerable()
    const reply = readReply(asked, line)
    if (reply) {
      answered()
      return sendReply(context, asked, reply)
    }
    await print(replyHint(asked))
  }
}

/**
 * Sends a reply, and says what it has allowed from now on. If the question was answered elsewhere
 * first, or the reply is late, warns and lets the conversation continue.
 */
async function sendReply(context: CommandContext, asked: JsonObject, reply: Reply): Promise<void> {
  try {
    const path = `/api/runs/${String(asked['run_id'])}/approvals/${String(asked['call_id'])}`
    const approval = await context.request('POST', path, { ...reply })
    if (reply.decision === 'approve') await printAllowed(context, approval as JsonObject)
  } catch (error) {
    if (!ServiceError.isInstance(error) || error.code === 'service_unreachable') throw error
    await context.warn(error.message)
  }
}

async function printAllowed({ print }: CommandContext, approval: JsonObject): Promise<void> {
  const allowed = allowedBy(approval)
  if (allowed !== undefined) await print(`(from now on without asking: ${allowed})`, { style: 'yellow' })
}
