import {
  Button,
  ButtonLink,
  EmptyState,
  Failure,
  MenuButton,
  navigate,
  Page,
  Skeleton,
  StateBadge,
  usePageTitle,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { createQuery, onEvent } from '../../api/index.js'
import { FailureNote } from './common/failure-note.js'
import { LateNote } from './common/late-note.js'
import { TimesTable } from './common/next-runs.js'
import { readTask } from './common/read-tasks.js'
import { failureOf, isOver, markOf, type TaskDetails } from './common/task.js'
import { t } from './common/texts.js'
import { addressOf, type TabName } from './overview.js'
import { History } from './runs/history.js'
import { createTaskActions } from './task-actions.js'
import { TaskFacts } from './task-facts.js'
import { menuOf } from './task-row.js'
import { TaskTree } from './task-tree.js'

/** One task: what it is to do and when, what it did, and what it handed on. */
export function TaskPage(props: { readonly id: string }): JSX.Element {
  const query = createQuery({ key: () => ['task', props.id], read: (signal) => readTask(props.id, signal) })
  const [isDeleted, setDeleted] = createSignal(false)
  onCleanup(onEvent('task.updated', ({ data }) => data.task_id === props.id && data.status === 'deleted' && setDeleted(true)))
  const isMissing = (): boolean => isDeleted() || (!query.isLoading() && query.error() === undefined && query.value() === undefined)
  return (
    <Switch
      fallback={
        <Page title={t('task')}>
          <Show when={query.error()} fallback={<Skeleton lines={8} />}>
            {(error) => <Failure error={error()} onRetry={() => void query.reload()} />}
          </Show>
        </Page>
      }
    >
      <Match when={isMissing()}>
        <Page title={t('task')}>
          <EmptyState title={t('missing')} text={t('missing_text')}>
            <ButtonLink href="/tasks">{t('to_tasks')}</ButtonLink>
          </EmptyState>
        </Page>
      </Match>
      <Match when={query.value()}>{(task) => <Shown task={task()} error={query.error()} onChanged={(next) => query.set(next)} />}</Match>
    </Switch>
  )
}

const tabOf = ({ kind, schedule }: TaskDetails): TabName =>
  kind === 'reminder' ? 'reminders' : kind === 'heartbeat' ? 'heartbeats' : schedule ? 'schedules' : 'all'

function Shown(props: {
  readonly task: TaskDetails
  readonly error: Error | undefined
  readonly onChanged: (task: TaskDetails) => void
}): JSX.Element {
  const list = (): string => addressOf(tabOf(props.task))
  const actions = createTaskActions(() => props.task, { changed: (task) => props.onChanged(task), removed: () => void navigate(list()) })
  usePageTitle(() => props.task.title)
  /** The main ones are buttons. */
  const more = () => menuOf(props.task, actions).filter(({ label }) => ![t('run_now'), t('pause'), t('resume'), t('edit')].includes(label))
  const isPaused = (): boolean => props.task.status === 'paused'
  return (
    <Page
      title={props.task.title}
      lead={
        <span class="tasks-lead">
          <a href={list()}>{t(`tab_${tabOf(props.task)}`)}</a>
          <StateBadge mark={markOf[props.task.status]}>{t(props.task.status)}</StateBadge>
        </span>
      }
      actions={
        <>
          <Show when={props.task.kind !== 'reminder'}>
            <Button size="small" icon="player-play" busy={actions.busy() === 'run'} onClick={() => void actions.run()}>
              {t('run_now')}
            </Button>
          </Show>
          <Show when={!isOver(props.task)}>
            <Button
              size="small"
              icon={isPaused() ? 'refresh' : 'player-pause'}
              busy={actions.busy() === 'pause' || actions.busy() === 'resume'}
              onClick={() => void (isPaused() ? actions.resume() : actions.pause())}
            >
              {isPaused() ? t('resume') : t('pause')}
            </Button>
          </Show>
          <Show when={!isOver(props.task) || props.task.schedule}>
            <ButtonLink size="small" icon="pencil" href={`/tasks/${props.task.id}/edit`}>
              {t('edit')}
            </ButtonLink>
          </Show>
          <Show when={more().length > 0}>
            <MenuButton name={t('more')} size="small" items={more()} />
          </Show>
        </>
      }
    >
      <Show when={props.error}>{(error) => <Failure error={error()} />}</Show>
      <Show when={actions.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={failureOf(props.task)}>
        {(failure) => (
          <div class="tasks-problem">
            <FailureNote failure={failure()} marked />
          </div>
        )}
      </Show>
      <Show when={props.task.late}>
        {(late) => (
          <div class="tasks-late">
            <LateNote late={late()} zone={props.task.timezone} />
          </div>
        )}
      </Show>
      <div class="tasks-beside">
        <div>
          <section class="tasks-part">
            <h2>{props.task.kind === 'reminder' ? t('text') : t('instruction')}</h2>
            <p class="tasks-text foreign">{props.task.instruction}</p>
          </section>
          <History task={props.task} />
          <TaskTree task={props.task} />
        </div>
        <aside aria-label={t('facts')}>
          <Show when={props.task.next_at !== null && !isPaused()}>
            <section class="tasks-part">
              <h2>{props.task.schedule ? t('next_runs') : t('next_run')}</h2>
              <TimesTable times={props.task.next_times} zone={props.task.timezone} />
            </section>
          </Show>
          <TaskFacts task={props.task} />
        </aside>
      </div>
    </Page>
  )
}
