import type { JSX } from 'solid-js'
import { taskFailureText } from '../../../i18n/reasons/task-failures.js'
import { dayTimeText } from '../../../i18n/times.js'
import { Mark } from '../../../ui/mark.js'
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
