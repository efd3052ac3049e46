import { dayTimeText, Mark } from '@agent-service/sdk/web'
import { taskFailureText } from '@agent-service/sdk/web/words'
import type { JSX } from 'solid-js'
import type { Task } from './task.js'
import { t } from './texts.js'

/** That a task did not run at its time, and why, until a run of it begins in time. */
export function LateNote(props: { readonly late: NonNullable<Task['late']>; readonly zone: string | null }): JSX.Element {
  return (
    <p class="tasks-failure">
      <Mark name="warn" />
      <span>
        <b>{t('late_at', { when: dayTimeText(props.late.scheduled_for, props.zone) })}</b>{' '}
        <span lang={taskFailureText(props.late.message).lang}>
          <bdi>{taskFailureText(props.late.message).text}</bdi>
        </span>
      </span>
    </p>
  )
}
