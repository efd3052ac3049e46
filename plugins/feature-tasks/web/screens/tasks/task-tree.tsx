import { Failure, IconButton, type Query, Skeleton, StateMark } from '@agent-service/sdk/web'
import { VirtualRows } from '@agent-service/sdk/web/lists'
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import { FailureNote } from './common/failure-note.js'
import { failureOf, markOf, type Task, type TaskDetails } from './common/task.js'
import { t } from './common/texts.js'

/** Tasks create tasks at most so many levels deep. */
const maxDepth = 3

/** The task that created this one, and those that it created. Nothing where there are none. */
export function TaskTree(props: { readonly task: TaskDetails }): JSX.Element {
  const children = createChildren(() => props.task.id)
  const parent = (): string | undefined => props.task.parent?.task_id ?? undefined
  return (
    <Show when={parent() !== undefined || (children.value()?.length ?? 0) > 0 || children.error()}>
      <section class="tasks-part">
        <h2>{t('tree')}</h2>
        <Show when={parent()}>
          {(id) => (
            <p class="small">
              <a href={`/tasks/${id()}`}>{t('to_parent')}</a>{' '}
              <span class="t2">{props.task.parent?.waits ? t('parent_waits') : t('parent_goes_on')}</span>
            </p>
          )}
        </Show>
        <ChildList children={children} depth={(props.task.parent?.depth ?? 0) + 1} />
      </section>
    </Show>
  )
}

/** The tasks that a task created, read again when any task changes. */
const createChildren = (id: () => string): Query<readonly Task[]> =>
  createQuery({
    key: () => ['children', id()],
    read: async (signal) => (await api.get('/api/tasks/{task_id}/tree', { path: { task_id: id() }, signal })).children,
  })

function ChildList(props: { readonly children: Query<readonly Task[]>; readonly depth: number; readonly label?: string }): JSX.Element {
  const ids = createMemo(() => (props.children.value() ?? []).map(({ id }) => id), [], {
    equals: (one, other) => one.length === other.length && one.every((id, index) => id === other[index]),
  })
  const childOf = (id: string): Task | undefined => props.children.value()?.find((child) => child.id === id)
  return (
    <>
      <Show when={props.children.error()}>{(error) => <Failure error={error()} onRetry={() => void props.children.reload()} />}</Show>
      <Show when={ids().length > 0}>
        <VirtualRows items={ids()} label={props.label ?? t('tree')} text={(id) => childOf(id)?.title ?? ''} class="tasks-tree">
          {(id) => <Show when={childOf(id)}>{(child) => <ChildRow child={child()} depth={props.depth} />}</Show>}
        </VirtualRows>
      </Show>
    </>
  )
}

function ChildRow(props: { readonly child: Task; readonly depth: number }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <div class="tasks-child">
        <Show when={props.depth < maxDepth} fallback={<span />}>
          <IconButton
            size="small"
            icon={isOpen() ? 'chevron-down' : 'chevron-right'}
            name={t('tree_of', { title: props.child.title })}
            expanded={isOpen()}
            onClick={() => setOpen((open) => !open)}
          />
        </Show>
        <a class="key" href={`/tasks/${props.child.id}`}>
          <bdi>{props.child.title}</bdi>
        </a>
        <StateMark mark={markOf[props.child.status]}>{t(props.child.status)}</StateMark>
      </div>
      <Show when={failureOf(props.child)}>{(failure) => <FailureNote failure={failure()} />}</Show>
      <Show when={isOpen()}>
        <Grandchildren task={props.child} depth={props.depth + 1} />
      </Show>
    </>
  )
}

function Grandchildren(props: { readonly task: Task; readonly depth: number }): JSX.Element {
  const children = createChildren(() => props.task.id)
  return (
    <div class="tasks-below">
      <Show
        when={children.value()}
        fallback={
          <Show when={!children.error()}>
            <Skeleton lines={1} />
          </Show>
        }
      >
        {(found) => (
          <Show when={found().length === 0}>
            <p class="help">{t('tree_none')}</p>
          </Show>
        )}
      </Show>
      <ChildList children={children} depth={props.depth} label={t('tree_of', { title: props.task.title })} />
    </div>
  )
}
