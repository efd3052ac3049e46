import {
  agentName,
  Badge,
  dayTimeText,
  Failure,
  Icon,
  MenuButton,
  type MenuItem,
  navigate,
  StateMark,
  untilText,
  whenText,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { cronSummary } from './common/cron-summary.js'
import { FailureNote } from './common/failure-note.js'
import { LateNote } from './common/late-note.js'
import { NextRuns } from './common/next-runs.js'
import type { Agent } from './common/read-tasks.js'
import { canChange, checkText, failureOf, isOver, markOf, type Task, type TaskDetails } from './common/task.js'
import { t } from './common/texts.js'
import { createTaskActions, type TaskActions } from './task-actions.js'

/** One task in a list: state, title, agent and times, what failed, and what can be done. */
export function TaskRow(props: {
  readonly task: Task
  readonly agents: readonly Agent[]
  readonly onChanged: (task: TaskDetails) => void
  readonly onRemoved: () => void
  /** With its next five times, on demand. */
  readonly showsTimes?: boolean
}): JSX.Element {
  const actions = createTaskActions(() => props.task, { changed: (task) => props.onChanged(task), removed: () => props.onRemoved() })
  const [isOpen, setOpen] = createSignal(false)
  const agent = (): string | undefined => {
    const name = props.agents.find(({ id }) => id === props.task.agent?.id)?.name
    return name === undefined ? props.task.agent?.handle : agentName(name)
  }
  return (
    <div class="tasks-row">
      <span class="tasks-state">
        <StateMark mark={markOf[props.task.status]}>{t(props.task.status)}</StateMark>
      </span>
      <div class="tasks-words">
        <a class="key" href={`/tasks/${props.task.id}`}>
          <bdi>{props.task.title}</bdi>
        </a>
        <p class="tasks-sub">
          <Show when={agent()}>
            {(name) => (
              <span>
                <bdi>{name()}</bdi>
              </span>
            )}
          </Show>
          <Show when={props.task.schedule}>
            {(schedule) => <span>{cronSummary(schedule().cron) || <code>{schedule().cron}</code>}</span>}
          </Show>
          <Show when={props.task.heartbeat}>{(heartbeat) => <span>{checkText(heartbeat().check)}</span>}</Show>
          <Show when={props.task.created_by === 'agent'}>
            <Badge tone="line">{t('by_agent')}</Badge>
          </Show>
        </p>
        <Show when={failureOf(props.task)}>{(failure) => <FailureNote failure={failure()} />}</Show>
        <Show when={props.task.late}>{(late) => <LateNote late={late()} zone={props.task.timezone} />}</Show>
        <Show when={props.showsTimes && props.task.next_at !== null}>
          <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>
              <Icon name="chevron-right" />
              {t('next_runs')}
            </summary>
            <div>
              <Show when={isOpen()}>
                <NextRuns task={props.task} />
              </Show>
            </div>
          </details>
        </Show>
        <Show when={actions.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <span class="tasks-when meta">
        <WhenText task={props.task} />
      </span>
      <MenuButton name={t('actions_of', { title: props.task.title })} size="small" items={menuOf(props.task, actions)} />
    </div>
  )
}

/** The next time, else when it ended. */
function WhenText(props: { readonly task: Task }): JSX.Element {
  return (
    <Show
      when={props.task.status !== 'paused' && props.task.next_at}
      fallback={
        <Show when={props.task.last?.at ?? props.task.ended_at}>
          {(at) => <span title={dayTimeText(at())}>{t('ended_at', { when: whenText(at()) })}</span>}
        </Show>
      }
    >
      {(at) => <span title={dayTimeText(at(), props.task.timezone)}>{t('next_at', { when: untilText(at()) })}</span>}
    </Show>
  )
}

/** What can be done with a task beside looking at it. */
export function menuOf(task: Task, actions: TaskActions): readonly MenuItem[] {
  const isAtWork = task.status === 'working' || task.status === 'waiting'
  return [
    ...(task.kind === 'reminder' ? [] : [{ label: t('run_now'), icon: 'player-play' as const, run: () => void actions.run() }]),
    ...(task.status === 'paused' ? [{ label: t('resume'), icon: 'refresh' as const, run: () => void actions.resume() }] : []),
    ...(task.status === 'paused' || isOver(task)
      ? []
      : [{ label: t('pause'), icon: 'player-pause' as const, run: () => void actions.pause() }]),
    ...(canChange(task) ? [{ label: t('edit'), icon: 'pencil' as const, run: () => void navigate(`/tasks/${task.id}/edit`) }] : []),
    ...(isOver(task) ? [] : [{ label: t('cancel_more'), icon: 'player-stop' as const, danger: true, run: () => void actions.cancel() }]),
    ...(isAtWork ? [] : [{ label: t('delete_more'), icon: 'trash' as const, danger: true, run: () => void actions.remove() }]),
  ]
}
