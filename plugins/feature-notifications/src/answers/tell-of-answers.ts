import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Chats } from '@agent-service/sdk/services/chats'
import type { DeliveredEvent, EventGap } from '@agent-service/sdk/services/events'
import type { Notifications } from '@agent-service/sdk/services/notifications'
import type { Run, Runs } from '@agent-service/sdk/services/runs'

/** The events of runs that people may be told of. */
export const answerEvents = ['run.completed', 'run.failed', 'run.waiting'] as const

export interface AnswerParts {
  readonly runs: Pick<Runs, 'get'>
  readonly chats: Pick<Chats, 'messages'>
  readonly notifications: Pick<Notifications, 'send'>
  /** Nobody is told without a device. */
  readonly hasDevices: (userId: string) => Promise<boolean>
  /** The setting `push_answer_seconds`. */
  readonly minSeconds: number
}

/**
 * Tells a person that an answer in a chat is ready or waits for them, if they are not looking.
 * Runs that report to a feature, such as a task or a channel, are left to that feature.
 */
export async function tellOfAnswer(
  parts: AnswerParts,
  event: DeliveredEvent | EventGap,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  if (event.kind === 'gap') return
  const { userId, name } = event
  const runId = String(event.data['run_id'])
  if (!(await parts.hasDevices(userId))) return
  const run = await runOf(parts, userId, runId)
  if (!run || run.parent !== null || run.reportsTo !== null) return
  const isWaiting = name === 'run.waiting'
  if (isWaiting ? run.status !== 'waiting' : secondsOf(run) < parts.minSeconds) return
  const chat = await parts.chats.messages({ userId, chatId: run.chatId, from: 0, limit: 0 }, { signal })
  if (!chat || chat.hidden) return
  const kind = isWaiting ? 'answer.waiting' : 'answer.finished'
  await parts.notifications.send({
    to: { userId },
    kind,
    key: event.id,
    unseen: true,
    title: chat.title ?? titles[kind],
    text: '',
    link: `/chats/${run.chatId}`,
    about: { chat_id: run.chatId, run_id: runId },
  })
}

/** Of chats without a title: that of the kind, which devices show in the person's language. */
const titles = { 'answer.waiting': 'A chat waits for you', 'answer.finished': 'An answer is ready' } as const

const secondsOf = ({ createdAt, finishedAt }: Run): number => (Date.parse(finishedAt ?? createdAt) - Date.parse(createdAt)) / 1_000

async function runOf({ runs }: AnswerParts, userId: string, runId: string): Promise<Run | undefined> {
  try {
    return await runs.get({ userId, runId })
  } catch (error) {
    if (notFoundError.isInstance(error)) return undefined
    throw error
  }
}
