import { Mark } from '@agent-service/sdk/web'
import { taskFailureText } from '@agent-service/sdk/web/words'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../../../api/index.js'
import { t } from './texts.js'

/**
 * A failure of a task: what it was in a few words, and the sentence of the service. `marked`: with
 * the mark, where no state stands beside it.
 */
export function FailureNote(props: { readonly failure: Schemas['TaskFailure']; readonly marked?: boolean }): JSX.Element {
  return (
    <p class="tasks-failure">
      <Show when={props.marked}>
        <Mark name="fail" />
      </Show>
      <span>
        <b>{headingOf(props.failure.code)}</b>{' '}
        <span lang={taskFailureText(props.failure.message).lang}>
          <bdi>{taskFailureText(props.failure.message).text}</bdi>
        </span>
      </span>
    </p>
  )
}

function headingOf(code: string): string {
  switch (code) {
    case 'task_agent_gone':
      return t('failed_agent')
    case 'task_owner_gone':
      return t('failed_owner')
    case 'task_model_failed':
      return t('failed_model')
    case 'task_result_invalid':
      return t('failed_result')
    case 'task_tool_failed':
      return t('failed_tool')
    case 'task_timed_out':
      return t('failed_time')
    case 'task_run_gone':
      return t('failed_chat')
    case 'task_forbidden':
      return t('failed_policy')
    case 'task_cancelled':
    case 'task_parent_ended':
      return t('failed_cancelled')
    default:
      return t('failed_other')
  }
}
