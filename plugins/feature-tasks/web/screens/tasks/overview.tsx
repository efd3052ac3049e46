import { agentName, ButtonLink, EmptyState, Failure, Page, PagedRows, type Query, SelectField } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { createPagedQuery } from '../../api/index.js'
import { type Agent, createAgents, readSchedules, readTasks, type TaskFilter } from './common/read-tasks.js'
import { type Kind, type Status, statuses, type Task } from './common/task.js'
import { t } from './common/texts.js'
import { TaskRow } from './task-row.js'

export type TabName = 'all' | 'schedules' | 'reminders' | 'heartbeats'

const tabs = ['all', 'schedules', 'reminders', 'heartbeats'] as const satisfies TabName[]
const kindOf: Readonly<Record<TabName, Kind>> = { all: 'task', schedules: 'task', reminders: 'reminder', heartbeats: 'heartbeat' }

export const isTab = (name: string): name is TabName => tabs.some((tab) => tab === name)
export const addressOf = (tab: TabName): string => (tab === 'all' ? '/tasks' : `/tasks/${tab}`)

/** The lists of tasks, live. */
export function Overview(props: { readonly tab: TabName }): JSX.Element {
  const agents = createAgents()
  return (
    <Page
      title={t('title')}
      lead={t(`lead_${props.tab}`)}
      actions={
        <ButtonLink kind="main" icon="plus" href={`/tasks/new?kind=${kindOf[props.tab]}${props.tab === 'schedules' ? '&when=again' : ''}`}>
          {t(`new_${props.tab}`)}
        </ButtonLink>
      }
    >
      <nav class="tabs tasks-tabs" aria-label={t('title')}>
        <For each={tabs}>
          {(tab) => (
            <a href={addressOf(tab)} aria-current={props.tab === tab ? 'page' : undefined}>
              {t(`tab_${tab}`)}
            </a>
          )}
        </For>
      </nav>
      <Switch>
        <Match when={props.tab === 'schedules'}>
          <Schedules agents={agents} />
        </Match>
        <Match when={props.tab} keyed>
          {(tab) => <Filtered tab={tab} agents={agents} />}
        </Match>
      </Switch>
    </Page>
  )
}

/** The tasks of a kind, newest first, narrowed by state and agent. */
function Filtered(props: { readonly tab: TabName; readonly agents: Query<readonly Agent[]> }): JSX.Element {
  const [status, setStatus] = createSignal<Status | ''>('')
  const [agentId, setAgentId] = createSignal('')
  const filter = (): TaskFilter => ({ kind: kindOf[props.tab], status: status(), agentId: agentId() })
  const list = createPagedQuery<Task>({
    key: () => ['tasks', kindOf[props.tab], filter()],
    read: (cursor, signal) => readTasks(filter(), cursor, signal),
    idOf: ({ id }) => id,
  })
  const isNarrow = (): boolean => status() !== '' || agentId() !== ''
  return (
    <>
      <search class="tasks-filters">
        <SelectField
          label={t('state')}
          value={status()}
          onInput={setStatus}
          choices={[{ value: '', label: t('all_states') }, ...statuses.map((value) => ({ value, label: t(value) }))]}
        />
        <Show when={props.tab !== 'reminders'}>
          <SelectField
            label={t('agent')}
            value={agentId()}
            onInput={setAgentId}
            choices={[
              { value: '', label: t('all_agents') },
              ...(props.agents.value() ?? []).map(({ id, name }) => ({ value: id, label: agentName(name) })),
            ]}
          />
        </Show>
      </search>
      <Show when={props.agents.error()}>{(error) => <Failure error={error()} onRetry={() => void props.agents.reload()} />}</Show>
      <PagedRows
        list={list}
        label={t(`tab_${props.tab}`)}
        empty={
          <Show when={isNarrow()} fallback={<EmptyState title={t(`none_${props.tab}`)} text={t(`none_${props.tab}_text`)} />}>
            <EmptyState title={t('no_match')} text={t('no_match_text')} />
          </Show>
        }
      >
        {(task) => <TaskRow task={task} agents={props.agents.value() ?? []} onChanged={list.put} onRemoved={() => list.remove(task.id)} />}
      </PagedRows>
    </>
  )
}

/** The tasks that happen again and again, the next one first. */
function Schedules(props: { readonly agents: Query<readonly Agent[]> }): JSX.Element {
  const list = createPagedQuery<Task>({ key: () => ['tasks', 'task', 'repeats'], read: readSchedules, idOf: ({ id }) => id })
  const sorted = (): readonly Task[] => [...list.items()].sort((one, other) => orderOf(one) - orderOf(other))
  return (
    <PagedRows
      list={{ ...list, items: sorted }}
      label={t('tab_schedules')}
      empty={<EmptyState title={t('none_schedules')} text={t('none_schedules_text')} />}
    >
      {(task) => (
        <TaskRow task={task} agents={props.agents.value() ?? []} onChanged={list.put} onRemoved={() => list.remove(task.id)} showsTimes />
      )}
    </PagedRows>
  )
}

/** By its next time; then those that have none, and at last those that are paused. */
function orderOf({ status, next_at }: Task): number {
  if (status === 'paused') return Number.MAX_SAFE_INTEGER
  return next_at === null ? Number.MAX_SAFE_INTEGER - 1 : Date.parse(next_at)
}
