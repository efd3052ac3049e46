import {
  Button,
  ButtonLink,
  commonText as common,
  confirmAction,
  createLoaded,
  currentQuery,
  EmptyState,
  Failure,
  guardLeaving,
  isProblem,
  navigate,
  newId,
  Page,
  Segments,
  SelectField,
  Skeleton,
  showToast,
  TextArea,
  TextField,
  usePageTitle,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { createStore, unwrap } from 'solid-js/store'
import { api } from '../../../api/index.js'
import { createAgents, readTask } from '../common/read-tasks.js'
import { canChange, type Kind, type TaskDetails } from '../common/task.js'
import { t as screen } from '../common/texts.js'
import { bodyOf, changesOf, type Draft, type DraftProblems, draftOf, emptyDraft, problemsOf } from './draft.js'
import type { FormPart } from './form-part.js'
import { HeartbeatFields } from './heartbeat-fields.js'
import { MoreFields } from './more-fields.js'
import { t } from './texts.js'
import { WhenFields } from './when-fields.js'

/** Creates a task, a reminder or a heartbeat. */
export function NewTask(props: { readonly kind: Kind }): JSX.Element {
  const when = props.kind === 'heartbeat' || currentQuery().get('when') === 'again' ? 'again' : props.kind === 'reminder' ? 'at' : 'now'
  return <TaskForm start={emptyDraft(props.kind, when)} />
}

/** Changes one. */
export function EditTask(props: { readonly id: string }): JSX.Element {
  const loaded = createLoaded(() => readTask(props.id))
  const isMissing = (): boolean => !loaded.isLoading() && loaded.error() === undefined && loaded.value() === undefined
  usePageTitle(() => loaded.value()?.title ?? t('edit_title'))
  return (
    <Switch
      fallback={
        <Page form title={t('edit_title')}>
          <Show when={loaded.error()} fallback={<Skeleton lines={8} />}>
            {(error) => <Failure error={error()} onRetry={() => void loaded.reload()} />}
          </Show>
        </Page>
      }
    >
      <Match when={isMissing()}>
        <Page form title={t('edit_title')}>
          <EmptyState title={screen('missing')} text={screen('missing_text')}>
            <ButtonLink href="/tasks">{screen('to_tasks')}</ButtonLink>
          </EmptyState>
        </Page>
      </Match>
      <Match when={loaded.value()} keyed>
        {(task) => (
          <Show
            when={canChange(task)}
            fallback={
              <Page form title={t('edit_title')}>
                <EmptyState title={t('over')} text={t('over_text')}>
                  <ButtonLink href={`/tasks/${task.id}`}>{screen('to_task')}</ButtonLink>
                </EmptyState>
              </Page>
            }
          >
            <TaskForm start={draftOf(task)} task={task} />
          </Show>
        )}
      </Match>
    </Switch>
  )
}

/** Paths of the service's problems, by member. */
const pathOf: Partial<Record<keyof Draft, readonly string[]>> = {
  agent: ['/agent'],
  title: ['/title'],
  instruction: ['/instruction'],
  at: ['/due_at'],
  cron: ['/schedule/cron', '/cron', '/schedule'],
  zone: ['/schedule/timezone', '/timezone'],
  spread: ['/spread_secs'],
  modelGroup: ['/model_group'],
  tools: ['/tools'],
  maxRetries: ['/max_retries'],
  retryDelay: ['/retry_delay_secs'],
  maxSeconds: ['/max_seconds'],
  resultName: ['/result/name'],
  resultSchema: ['/result/schema', '/result'],
  path: ['/check/path', '/check'],
  maxRuns: ['/max_runs'],
  maxTokens: ['/max_tokens'],
}

function TaskForm(props: { readonly start: Draft; readonly task?: TaskDetails }): JSX.Element {
  const [draft, setDraft] = createStore<Draft>({ ...props.start })
  const [problems, setProblems] = createSignal<DraftProblems>({})
  const [failure, setFailure] = createSignal<unknown>()
  const [busy, setBusy] = createSignal(false)
  const [isDone, setDone] = createSignal(false)
  const agents = createAgents()
  const key = newId()
  const isChanged = (): boolean => JSON.stringify({ ...draft }) !== JSON.stringify(props.start)
  const change = (next: Partial<Draft>): void => {
    setDraft(next)
    const names = Object.keys(next)
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !names.includes(name))))
  }
  /** Another kind has other times. */
  const setKind = (kind: Kind): void => {
    const when = kind === 'heartbeat' ? 'again' : kind === 'reminder' && draft.when === 'now' ? 'at' : draft.when
    change({ kind, when, missed: kind === 'heartbeat' ? 'skip' : 'once' })
  }
  const save = async (): Promise<void> => {
    if (busy()) return
    const found = problemsOf(draft, props.start)
    setProblems(found)
    setFailure(undefined)
    if (Object.keys(found).length > 0) return focusFirstProblem()
    setBusy(true)
    try {
      const task = props.task
        ? await api.patch('/api/tasks/{task_id}', { path: { task_id: props.task.id }, body: changesOf(props.start, unwrap(draft)) })
        : await api.post('/api/tasks', { body: bodyOf(unwrap(draft)), idempotencyKey: key })
      setDone(true)
      showToast(props.task ? t('saved') : t('created'))
      await navigate(`/tasks/${task.id}`)
    } catch (error) {
      setFailure(() => error)
      focusFirstProblem()
    } finally {
      setBusy(false)
    }
  }
  onCleanup(
    guardLeaving(
      () =>
        isDone() ||
        !isChanged() ||
        confirmAction({ title: t('leave_question'), text: t('leave_text'), action: t('leave'), keep: t('stay') }),
    ),
  )
  const problemAt = (member: keyof Draft): string | undefined => {
    const own = problems()[member]
    if (own !== undefined) return own === 'required' ? common('required') : t(own)
    const error = failure()
    if (!isProblem(error)) return undefined
    if (member === 'agent' && error.code === 'agent_not_found') return error.message
    const paths = pathOf[member] ?? []
    return error.errors.find(({ path }) => paths.some((each) => path === each || (each !== '/schedule' && path.startsWith(`${each}/`))))
      ?.message
  }
  const part: FormPart = { draft, change, problemAt }
  const title = (): string => (props.task ? t('edit_title') : t(`new_${draft.kind}`))
  if (!props.task) usePageTitle(title)
  const isReminder = (): boolean => draft.kind === 'reminder'
  return (
    <Page
      form
      title={title()}
      lead={
        <Show when={props.task} fallback={t(`kind_${draft.kind}_help`)}>
          {(task) => (
            <a href={`/tasks/${task().id}`}>
              <bdi>{task().title}</bdi>
            </a>
          )}
        </Show>
      }
    >
      <form
        class="form tasks-form"
        novalidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Show when={!props.task}>
          <div class="field">
            <Segments
              label={t('kind')}
              value={draft.kind}
              onInput={setKind}
              choices={[
                { value: 'task', label: t('kind_task') },
                { value: 'reminder', label: t('kind_reminder') },
                { value: 'heartbeat', label: t('kind_heartbeat') },
              ]}
            />
          </div>
        </Show>
        <Show when={!isReminder()}>
          <SelectField
            label={screen('agent')}
            value={draft.agent}
            onInput={(agent) => change({ agent })}
            error={problemAt('agent')}
            choices={[
              ...(props.task?.agent ? [] : [{ value: '', label: t('first_agent') }]),
              ...(agents.value() ?? [])
                .filter(({ enabled, id }) => enabled || id === props.start.agent)
                .map(({ id, name }) => ({ value: id, label: name })),
              ...(isUnknown(props.start.agent, agents.value())
                ? [{ value: props.start.agent, label: props.task?.agent?.handle ?? '' }]
                : []),
            ]}
          />
          <Show when={agents.error()}>{(error) => <Failure error={error()} onRetry={() => void agents.reload()} />}</Show>
        </Show>
        <TextArea
          label={isReminder() ? screen('text') : screen('instruction')}
          help={isReminder() ? undefined : t('instruction_help')}
          rows={isReminder() ? 3 : 6}
          value={draft.instruction}
          onInput={(instruction) => change({ instruction })}
          error={problemAt('instruction')}
        />
        <TextField
          label={t('title')}
          aside={<Show when={!props.task}>{common('optional')}</Show>}
          help={t('title_help')}
          maxLength={200}
          value={draft.title}
          onInput={(title) => change({ title })}
          error={problemAt('title')}
        />
        <WhenFields {...part} isNew={!props.task} start={props.start} />
        <Show when={draft.kind === 'heartbeat'}>
          <HeartbeatFields {...part} />
        </Show>
        <Show when={!isReminder()}>
          <MoreFields {...part} />
        </Show>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <div class="form-foot">
          <Button kind="main" type="submit" busy={busy()} disabled={props.task !== undefined && !isChanged()}>
            {props.task ? t('save') : t(`create_${draft.kind}`)}
          </Button>
          <ButtonLink kind="quiet" href={props.task ? `/tasks/${props.task.id}` : '/tasks'}>
            {common('cancel')}
          </ButtonLink>
        </div>
      </form>
    </Page>
  )
}

/** An agent that the list does not have, such as a deleted one. */
const isUnknown = (id: string, agents: readonly { readonly id: string }[] | undefined): boolean =>
  id !== '' && agents !== undefined && !agents.some((agent) => agent.id === id)

/** The person is taken to what is to be mended, also inside a fold. */
function focusFirstProblem(): void {
  setTimeout(() => {
    const field = document.querySelector<HTMLElement>('.tasks-form [aria-invalid="true"]')
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
  })
}
