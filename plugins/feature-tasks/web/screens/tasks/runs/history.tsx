import { compactText, dayTimeText, durationText, moneyText, PagedRows, StateMark } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { api, createPagedQuery } from '../../../api/index.js'
import { FailureNote } from '../common/failure-note.js'
import { type Execution, isEnded, markOf, type TaskDetails } from '../common/task.js'
import { t } from '../common/texts.js'

const pageSize = 20

/** The runs of a task, newest first, live. */
export function History(props: { readonly task: TaskDetails }): JSX.Element {
  const list = createPagedQuery<Execution>({
    key: () => ['runs', props.task.id],
    read: (cursor, signal) =>
      api.get('/api/tasks/{task_id}/executions', {
        path: { task_id: props.task.id },
        query: { limit: pageSize, ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    idOf: ({ id }) => id,
  })
  return (
    <section class="tasks-part">
      <h2>{t('history')}</h2>
      <PagedRows list={list} label={t('history')} empty={<p class="help">{t('history_none')}</p>}>
        {(execution) => <RunRow execution={execution} />}
      </PagedRows>
    </section>
  )
}

function RunRow(props: { readonly execution: Execution }): JSX.Element {
  const tokens = (): number => props.execution.usage.input_tokens + props.execution.usage.output_tokens
  return (
    <div class="tasks-run">
      <StateMark mark={markOf[props.execution.state]}>
        <a class="key" href={`/tasks/${props.execution.task_id}/runs/${props.execution.id}`}>
          {dayTimeText(props.execution.scheduled_for ?? props.execution.created_at)}
        </a>
      </StateMark>
      <span class="tasks-sub">
        <span>{t(props.execution.state)}</span>
        <span>{t(`via_${props.execution.trigger}`)}</span>
        <Show when={props.execution.represents > 1}>
          <span>{t('represents', { count: props.execution.represents })}</span>
        </Show>
        <Show when={durationOf(props.execution)}>{(time) => <span>{durationText(time())}</span>}</Show>
        <Show when={tokens() > 0}>
          <span>{t('tokens', { count: compactText(tokens()) })}</span>
        </Show>
        <Show when={props.execution.cost_usd !== null}>
          <span>{moneyText(props.execution.cost_usd ?? 0)}</span>
        </Show>
      </span>
      <Show when={props.execution.state === 'waiting'}>
        <span class="tasks-sub">{waitingText(props.execution)}</span>
      </Show>
      <Show when={props.execution.state === 'failed' && props.execution.failure}>{(failure) => <FailureNote failure={failure()} />}</Show>
    </div>
  )
}

/** How long it took; `undefined` while it is at work. */
export const durationOf = ({ started_at, ended_at }: Execution): number | undefined =>
  started_at === null || ended_at === null ? undefined : Math.max(1, Date.parse(ended_at) - Date.parse(started_at))

/** For whom or what it waits. */
export function waitingText(execution: Execution): string {
  if (isEnded(execution)) return ''
  if (execution.waiting_for === 'person') return t('waits_person')
  if (execution.waiting_for === 'tasks') return t('waits_tasks')
  if (execution.not_before !== null) return t('waits_retry', { when: dayTimeText(execution.not_before) })
  return execution.state === 'queued' ? t('waits_place') : ''
}
