import { confirmAction, createAction, showToast } from '@agent-service/sdk/web'
import { api } from '../../api/index.js'
import { isOver, type Task, type TaskDetails } from './common/task.js'
import { t } from './common/texts.js'

export type Action = 'run' | 'pause' | 'resume' | 'cancel' | 'delete'

/** What a person does with a task. A failure stays until the next attempt. */
export interface TaskActions {
  readonly busy: () => Action | undefined
  readonly failure: () => unknown
  run(): Promise<unknown>
  pause(): Promise<unknown>
  resume(): Promise<unknown>
  cancel(): Promise<void>
  remove(): Promise<void>
}

export function createTaskActions(
  task: () => Task,
  after: { readonly changed: (task: TaskDetails) => void; readonly removed: () => void },
): TaskActions {
  const doing = createAction((_: Action, work: () => Promise<unknown>) => work())
  const path = () => ({ task_id: task().id })
  const values = () => ({ title: task().title })
  return {
    busy: () => doing.given()?.[0],
    failure: doing.failure,
    run: () =>
      doing.run('run', async () => {
        after.changed(await api.post('/api/tasks/{task_id}/run', { path: path() }))
        showToast(t('queued_toast', values()))
      }),
    pause: () => doing.run('pause', async () => after.changed(await api.post('/api/tasks/{task_id}/pause', { path: path() }))),
    resume: () => doing.run('resume', async () => after.changed(await api.post('/api/tasks/{task_id}/resume', { path: path() }))),
    async cancel() {
      const { schedule, status } = task()
      const isAtWork = status === 'working' || status === 'waiting'
      const text = [...(schedule ? [t('cancel_schedule_text')] : []), isAtWork ? t('cancel_work_text') : t('cancel_text')].join(' ')
      const yes = await confirmAction({ title: t('cancel_question', values()), text, action: t('cancel_task'), keep: t('keep') })
      if (yes) await doing.run('cancel', async () => after.changed(await api.post('/api/tasks/{task_id}/cancel', { path: path() })))
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
      await doing.run('delete', async () => {
        await api.delete('/api/tasks/{task_id}', { path: path() })
        showToast(t('deleted', { title }))
        after.removed()
      })
    },
  }
}
