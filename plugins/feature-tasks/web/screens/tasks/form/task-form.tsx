import {
  Button,
  ButtonLink,
  commonText as common,
  confirmAction,
  currentQuery,
  EmptyState,
  Failure,
  guardLeaving,
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
import { createForm, type Form, FormView } from '@agent-service/sdk/web/forms'
import { batch, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { api, createQuery } from '../../../api/index.js'
import { createAgents, readTask } from '../common/read-tasks.js'
import { canChange, type Kind, type TaskDetails } from '../common/task.js'
import { t as screen } from '../common/texts.js'
import { bodyOf, changesOf, type Draft, draftOf, emptyDraft, pathOf, problemsOf } from './draft.js'
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
  // What is typed stays, whatever becomes of the task meanwhile.
  const query = createQuery({ key: () => ['form', props.id], read: (signal) => readTask(props.id, signal), follow: false })
  const isMissing = (): boolean => !query.isLoading() && query.error() === undefined && query.value() === undefined
  usePageTitle(() => query.value()?.title ?? t('edit_title'))
  return (
    <Switch
      fallback={
        <Page form title={t('edit_title')}>
          <Show when={query.error()} fallback={<Skeleton lines={8} />}>
            {(error) => <Failure error={error()} onRetry={() => void query.reload()} />}
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
      <Match when={query.value()} keyed>
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

function TaskForm(props: { readonly start: Draft; readonly task?: TaskDetails }): JSX.Element {
  const agents = createAgents()
  const key = newId()
  const form: Form<Draft> = createForm<Draft>({
    initial: props.start,
    codes: { agent_not_found: '/agent' },
    check: (draft) => {
      const found = Object.entries(problemsOf(draft, props.start))
      return Object.fromEntries(
        found.map(([name, wrong]) => [pathOf(name as keyof Draft), wrong === 'required' ? common('required') : t(wrong)]),
      )
    },
    async submit(draft) {
      const task = props.task
        ? await api.patch('/api/tasks/{task_id}', { path: { task_id: props.task.id }, body: changesOf(props.start, draft) })
        : await api.post('/api/tasks', { body: bodyOf(draft), idempotencyKey: key })
      // Leaves without a question.
      form.reset(draft)
      showToast(props.task ? t('saved') : t('created'))
      await navigate(`/tasks/${task.id}`)
    },
  })
  const draft = form.values
  const field: FormPart['field'] = (name) => form.field(name, pathOf(name))
  /** Another kind has other times. */
  const setKind = (kind: Kind): void =>
    batch(() => {
      if (kind === 'heartbeat') form.set('when', 'again')
      else if (kind === 'reminder' && draft().when === 'now') form.set('when', 'at')
      form.set('missed', kind === 'heartbeat' ? 'skip' : 'once')
      form.set('kind', kind)
    })
  onCleanup(
    guardLeaving(
      () => !form.isDirty() || confirmAction({ title: t('leave_question'), text: t('leave_text'), action: t('leave'), keep: t('stay') }),
    ),
  )
  const title = (): string => (props.task ? t('edit_title') : t(`new_${draft().kind}`))
  if (!props.task) usePageTitle(title)
  const isReminder = (): boolean => draft().kind === 'reminder'
  return (
    <Page
      form
      title={title()}
      lead={
        <Show when={props.task} fallback={t(`kind_${draft().kind}_help`)}>
          {(task) => (
            <a href={`/tasks/${task().id}`}>
              <bdi>{task().title}</bdi>
            </a>
          )}
        </Show>
      }
    >
      <FormView
        class="form tasks-form"
        form={form}
        buttons={
          <div class="form-foot">
            <Button kind="main" type="submit" busy={form.busy()} disabled={props.task !== undefined && !form.isDirty()}>
              {props.task ? t('save') : t(`create_${draft().kind}`)}
            </Button>
            <ButtonLink kind="quiet" href={props.task ? `/tasks/${props.task.id}` : '/tasks'}>
              {common('cancel')}
            </ButtonLink>
          </div>
        }
      >
        <Show when={!props.task}>
          <div class="field">
            <Segments
              label={t('kind')}
              value={draft().kind}
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
            {...field('agent')}
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
          {...field('instruction')}
        />
        <TextField
          label={t('title')}
          aside={<Show when={!props.task}>{common('optional')}</Show>}
          help={t('title_help')}
          maxLength={200}
          {...field('title')}
        />
        <WhenFields draft={draft()} field={field} isNew={!props.task} start={props.start} />
        <Show when={draft().kind === 'heartbeat'}>
          <HeartbeatFields draft={draft()} field={field} />
        </Show>
        <Show when={!isReminder()}>
          <MoreFields draft={draft()} field={field} />
        </Show>
      </FormView>
    </Page>
  )
}

/** An agent that the list does not have, such as a deleted one. */
const isUnknown = (id: string, agents: readonly { readonly id: string }[] | undefined): boolean =>
  id !== '' && agents !== undefined && !agents.some((agent) => agent.id === id)
