import { confirmAction, showToast } from '@agent-service/sdk/web'
import { createSignal } from 'solid-js'
import { api } from '../../api/index.js'
import { isOver, type Task, type TaskDetails } from './common/task.js'
import { t } from './common/texts.js'

export type Action = 'run' | 'pause' | 'resume' | 'cancel' | 'delete'

/** What a person does with a task. A failure stays until the next attempt. */
export interface TaskActions {
  readonly busy: () => Action | undefined
  readonly failure: () => unknown
  run(): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  cancel(): Promise<void>
  remove(): Promise<void>
}

export function createTaskActions(
  task: () => Task,
  after: { readonly changed: (task: TaskDetails) => void; readonly removed: () => void },
): TaskActions {
  const [busy, setBusy] = createSignal<Action>()
  const [failure, setFailure] = createSignal<unknown>()
  const attempt = async (action: Action, work: () => Promise<void>): Promise<void> => {
    if (busy() !== undefined) return
    setBusy(action)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(() => error)
    } finally {
      setBusy(undefined)
    }
  }
  const path = () => ({ task_id: task().id })
  const values = () => ({ title: task().title })
  return {
    busy,
    failure,
    run: () =>
      attempt('run', async () => {
        after.changed(await api.post('/api/tasks/{task_id}/run', { path: path() }))
        showToast(t('queued_toast', values()))
      }),
    pause: () => attempt('pause', async () => after.changed(await api.post('/api/tasks/{task_id}/pause', { path: path() }))),
    resume: () => attempt('resume', async () => after.changed(await api.post('/api/tasks/{task_id}/resume', { path: path() }))),
    async cancel() {
      const { schedule, status } = task()
      const isAtWork = status === 'working' || status === 'waiting'
      const text = [...(schedule ? [t('cancel_schedule_text')] : []), isAtWork ? t('cancel_work_text') : t('cancel_text')].join(' ')
      const yes = await confirmAction({ title: t('cancel_question', values()), text, action: t('cancel_task'), keep: t('keep') })
      if (yes) await attempt('cancel', async () => after.changed(await api.post('/api/tasks/{task_id}/cancel', { path: path() })))
    },
    async remove() {
      const yes = await confirmAction({
        title: t('delete_question', values()),
        text: isOver(task()) ? t('delete_text') : t('delete_open_text'),
        action: t('delete_task'),
        keep: t('keep'),
      })
      if (!yes) return
      const { title } = task()
      await attempt('delete', async () => {
        await api.delete('/api/tasks/{task_id}', { path: path() })
        showToast(t('deleted', { title }))
        after.removed()
      })
    },
  }
}
