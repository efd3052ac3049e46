import { wellFormed } from '@agent-service/sdk'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { Notifications } from '@agent-service/sdk/services/notifications'
import type { Execution } from '../store/execution.js'
import type { Task } from '../store/task.js'
import { type TaskNotificationKind, titleOfKind } from './task-kinds.js'

/** What the owner of a task should know. */
export interface TaskNotification {
  readonly kind: TaskNotificationKind
  readonly text: string
  /** False: an earlier e-mail has told of it. */
  readonly mail?: false
}

/** The longest text of a notification; the execution has the whole. */
const maxNotifiedText = 1_000
/** The longest reason that leaves the house by e-mail: a vendor may quote what it was sent. */
const maxCause = 300

/** A reason as notifications say it. */
export const shortCause = (message: string): string =>
  message.length <= maxCause ? message : wellFormed(`${message.slice(0, maxCause - 1)}…`)

/**
 * Sends a notification as part of the transaction that stores what it is about, so that there is
 * either both or neither. Each state of an execution is reported once, and so is what has a `key`.
 */
export async function notifyOfTask(
  notifications: Pick<Notifications, 'send'> | undefined,
  transaction: Transaction,
  of: { readonly task: Task; readonly notification: TaskNotification | undefined } & (
    | { readonly execution: Execution }
    | { readonly key: string }
  ),
): Promise<void> {
  const { task, notification } = of
  if (!notifications || !notification) return
  const { kind, text, mail } = notification
  const key = 'key' in of ? of.key : `${of.execution.id}/${of.execution.transitions.at(-1)?.at ?? ''}`
  const about = { task_id: task.id, ...('execution' in of && idsOf(of.execution)) }
  await notifications.send(
    {
      ...{ to: { userId: task.user_id }, kind, key },
      ...{ title: task.title, text: text.slice(0, maxNotifiedText), link: `/tasks/${encodeURIComponent(task.id)}`, about },
      // A reminder is its own title; of these it does not say what has happened.
      ...((kind === 'task.failed' || kind === 'task.late') && { subject: `${titleOfKind(kind)}: ${task.title}` }),
      ...(mail === false && { mail }),
    },
    { transaction },
  )
}

function idsOf({ id, attempts }: Execution): Readonly<Record<string, string>> {
  const { run_id = null, chat_id = null } = attempts.at(-1) ?? {}
  return { execution_id: id, ...(run_id !== null && { run_id }), ...(chat_id !== null && { chat_id }) }
}
