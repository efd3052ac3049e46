import {
  Button,
  ButtonLink,
  confirmAction,
  createAction,
  dayTimeText,
  durationText,
  EmptyState,
  Failure,
  isProblem,
  Mark,
  moneyText,
  numberText,
  Page,
  Skeleton,
  StateBadge,
  StateMark,
  usePageTitle,
  whileVisible,
} from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery } from '../../../api/index.js'
import { Fact } from '../common/fact.js'
import { FailureNote } from '../common/failure-note.js'
import { type Execution, isEnded, markOf } from '../common/task.js'
import { t } from '../common/texts.js'
import { durationOf, waitingText } from './history.js'
import { RunLog } from './run-log.js'

/** While a run is at work its log grows without events. */
const logEveryMs = 3_000

/** One run of a task: what it led to, its attempts with their chats, and its log, live. */
export function RunPage(props: { readonly taskId: string; readonly id: string }): JSX.Element {
  const path = { task_id: props.taskId, execution_id: props.id }
  const run = createQuery({
    key: () => ['run', props.id],
    read: (signal) => api.get('/api/tasks/{task_id}/executions/{execution_id}', { path, signal }),
  })
  const log = createQuery({
    key: () => ['run', props.id, 'log'],
    read: (signal) => api.get('/api/tasks/{task_id}/executions/{execution_id}/log', { path, signal }),
  })
  whileVisible(logEveryMs, () => {
    const execution = run.value()
    if (execution && !isEnded(execution) && execution.state !== 'queued') void log.reload()
  })
  usePageTitle(() => t('run'))
  return (
    <Switch
      fallback={
        <Page title={t('run')}>
          <Show when={run.error()} fallback={<Skeleton lines={8} />}>
            {(error) => <Failure error={error()} onRetry={() => void run.reload()} />}
          </Show>
        </Page>
      }
    >
      <Match when={isProblem(run.error(), 'not_found')}>
        <Page title={t('run')}>
          <EmptyState title={t('run_missing')} text={t('run_missing_text')}>
            <ButtonLink href="/tasks">{t('to_tasks')}</ButtonLink>
          </EmptyState>
        </Page>
      </Match>
      <Match when={run.value()}>
        {(execution) => (
          <Shown execution={execution()} onChanged={(next) => run.set(next)}>
            <Show when={run.error()}>{(error) => <Failure error={error()} onRetry={() => void run.reload()} />}</Show>
            <section class="tasks-part">
              <h2>{t('log')}</h2>
              <Show when={log.error()}>{(error) => <Failure error={error()} onRetry={() => void log.reload()} />}</Show>
              <Show when={log.value()} fallback={<Skeleton lines={4} />}>
                {(found) => <RunLog entries={found().entries} attempts={execution().attempts.length} />}
              </Show>
            </section>
          </Shown>
        )}
      </Match>
    </Switch>
  )
}

function Shown(props: {
  readonly execution: Execution
  readonly onChanged: (execution: Execution) => void
  readonly children: JSX.Element
}): JSX.Element {
  /** The run is asked to stop, and goes on until it has noticed. */
  const [isAsked, setAsked] = createSignal(false)
  const stop = createAction(async () => {
    const path = { task_id: props.execution.task_id, execution_id: props.execution.id }
    props.onChanged(await api.post('/api/tasks/{task_id}/executions/{execution_id}/cancel', { path }))
    setAsked(true)
  })
  const isStopping = (): boolean => stop.busy() || isAsked()
  const cancel = async (): Promise<void> => {
    const yes = await confirmAction({
      title: t('cancel_run_question'),
      text: t('cancel_run_text'),
      action: t('cancel_run'),
      keep: t('keep_run'),
    })
    if (yes) await stop.run()
  }
  return (
    <Page
      title={t('run_of', { when: dayTimeText(props.execution.scheduled_for ?? props.execution.created_at) })}
      lead={
        <span class="tasks-lead">
          <a href={`/tasks/${props.execution.task_id}`}>{t('to_task')}</a>
          <StateBadge mark={markOf[props.execution.state]}>{t(props.execution.state)}</StateBadge>
          <span>{waitingText(props.execution)}</span>
        </span>
      }
      actions={
        <Show when={!isEnded(props.execution)}>
          <Button size="small" kind="danger" busy={isStopping()} onClick={() => void cancel()}>
            {isStopping() ? t('stopping') : t('cancel_run_more')}
          </Button>
        </Show>
      }
    >
      <Show when={stop.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={props.execution.failure}>
        {(found) => (
          <div class="tasks-problem">
            <FailureNote failure={found()} marked />
          </div>
        )}
      </Show>
      <For each={props.execution.warnings}>
        {(warning) => (
          <p class="tasks-failure">
            <Mark name="warn" label={t('warning')} />
            <bdi lang="en">{warning}</bdi>
          </p>
        )}
      </For>
      <div class="tasks-beside">
        <div>
          <Show when={props.execution.answer}>
            {(answer) => (
              <section class="tasks-part">
                <h2>{t('answer')}</h2>
                <p class="tasks-text foreign">{answer()}</p>
              </section>
            )}
          </Show>
          <Show when={props.execution.result}>
            {(result) => (
              <section class="tasks-part">
                <h2>{t('result')}</h2>
                <pre class="tasks-json foreign" tabindex="0" translate="no">
                  {JSON.stringify(result().value, null, 2)}
                </pre>
              </section>
            )}
          </Show>
          {props.children}
        </div>
        <aside aria-label={t('facts')}>
          <RunFacts execution={props.execution} />
          <Attempts execution={props.execution} />
        </aside>
      </div>
    </Page>
  )
}

function RunFacts(props: { readonly execution: Execution }): JSX.Element {
  const usage = () => props.execution.usage
  return (
    <section class="tasks-part">
      <h2>{t('facts')}</h2>
      <dl class="tasks-facts">
        <Fact name={t('trigger')}>{t(`trigger_${props.execution.trigger}`)}</Fact>
        <Show when={props.execution.scheduled_for}>{(at) => <Fact name={t('due')}>{dayTimeText(at())}</Fact>}</Show>
        <Show when={props.execution.represents > 1}>
          <Fact name={t('missed_times')}>{t('represents', { count: props.execution.represents })}</Fact>
        </Show>
        <Show when={props.execution.started_at}>{(at) => <Fact name={t('started')}>{dayTimeText(at())}</Fact>}</Show>
        <Show when={durationOf(props.execution)}>{(time) => <Fact name={t('duration')}>{durationText(time())}</Fact>}</Show>
        {/* What it used is counted when an attempt ends. */}
        <Show when={isEnded(props.execution) || usage().input_tokens > 0}>
          <Fact name={t('tokens_used')}>
            {t('tokens_of', { input: numberText(usage().input_tokens), output: numberText(usage().output_tokens) })}
          </Fact>
          <Fact name={t('cost')}>{props.execution.cost_usd === null ? t('cost_unknown') : moneyText(props.execution.cost_usd)}</Fact>
        </Show>
      </dl>
    </section>
  )
}

/** Each attempt with the chat in which everything can be read. */
function Attempts(props: { readonly execution: Execution }): JSX.Element {
  return (
    <Show when={props.execution.attempts.length > 0}>
      <section class="tasks-part">
        <h2>{t('attempts')}</h2>
        <ul class="rows" aria-label={t('attempts')}>
          <For each={props.execution.attempts}>
            {(attempt) => (
              <li class="tasks-attempt">
                <div class="row">
                  <span class="grow">
                    <StateMark mark={attempt.number === props.execution.attempts.length ? markOf[props.execution.state] : 'fail'}>
                      {t('attempt', { number: attempt.number })}
                    </StateMark>
                  </span>
                  <Show when={attempt.chat_id}>
                    {(chat) => (
                      <ButtonLink size="small" icon="message" href={`/chats/${chat()}`}>
                        {t('open_chat')}
                      </ButtonLink>
                    )}
                  </Show>
                </div>
                <Show when={attempt.failure}>{(failure) => <FailureNote failure={failure()} />}</Show>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  )
}
