import { agentName, dayTimeText, durationText, modelTitle, momentText, numberText, whenText, zoneName } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { cronSummary } from './common/cron-summary.js'
import { Fact } from './common/fact.js'
import { createAgents, createModels } from './common/read-tasks.js'
import { checkText, outcomeText, type TaskDetails } from './common/task.js'
import { t } from './common/texts.js'

/** What a task is set to. */
export function TaskFacts(props: { readonly task: TaskDetails }): JSX.Element {
  const counts = () => props.task.counts
  const agents = createAgents()
  const models = createModels()
  return (
    <section class="tasks-part">
      <h2>{t('facts')}</h2>
      <dl class="tasks-facts">
        <Show when={props.task.agent}>
          {(agent) => (
            <Fact name={t('agent')}>
              <a href={`/agents/${agent().id}`}>
                <bdi>{agentName(agents.value()?.find(({ id }) => id === agent().id)?.name ?? agent().handle)}</bdi>
              </a>
            </Fact>
          )}
        </Show>
        <Show when={props.task.schedule}>
          {(schedule) => (
            <>
              <Fact name={t('schedule')}>
                {cronSummary(schedule().cron)} <code>{schedule().cron}</code>
              </Fact>
              <Fact name={t('zone')}>
                {schedule().timezone === null
                  ? t('zone_follows', { zone: zoneName(props.task.timezone ?? '') })
                  : zoneName(schedule().timezone ?? '')}
              </Fact>
              <Fact name={t('missed')}>{t(`missed_${props.task.missed}`)}</Fact>
            </>
          )}
        </Show>
        <Show when={props.task.due_at}>{(at) => <Fact name={t('due')}>{dayTimeText(at())}</Fact>}</Show>
        <Show when={props.task.heartbeat}>
          {(heartbeat) => (
            <>
              <Fact name={t('check')}>{checkText(heartbeat().check)}</Fact>
              <Fact name={t('last_look')}>
                <Show when={heartbeat().looked_at} fallback={t('outcome_none')}>
                  {(at) => (
                    <>
                      {outcomeText(heartbeat().outcome)} <span class="t2">{whenText(at())}</span>
                    </>
                  )}
                </Show>
              </Fact>
              <Fact name={t('budget')}>
                {t('budget_of', { runs: heartbeat().max_runs, tokens: heartbeat().max_tokens })}
                <Show when={props.task.budget_used}>
                  {(used) => <span class="t2"> {t('budget_used', { runs: used().runs, tokens: used().tokens })}</span>}
                </Show>
              </Fact>
            </>
          )}
        </Show>
        <Show when={props.task.kind !== 'reminder'}>
          <Show when={props.task.model_group}>
            {(group) => (
              <Fact name={t('model_group')}>
                <bdi>{modelTitle(models.value() ?? [], group())}</bdi>
              </Fact>
            )}
          </Show>
          <Fact name={t('retries')}>
            {t('retries_of', { count: props.task.max_retries, delay: durationText(props.task.retry_delay_secs * 1_000) })}
          </Fact>
          <Fact name={t('max_seconds')}>{durationText(props.task.max_seconds * 1_000)}</Fact>
          <Fact name={t('notify')}>{t(`notify_${props.task.notify}`)}</Fact>
          <Show when={props.task.result}>
            {(result) => (
              <Fact name={t('result_form')}>
                <code>{result().name}</code>
              </Fact>
            )}
          </Show>
          <Fact name={t('runs_so_far')}>
            {t('counts', { completed: counts().completed, failed: counts().failed, cancelled: counts().cancelled })}
          </Fact>
        </Show>
        <Show when={counts().missed > 0}>
          <Fact name={t('missed_times')}>{numberText(counts().missed)}</Fact>
        </Show>
        <Fact name={t('created')}>
          {momentText(props.task.created_at)}
          <Show when={props.task.created_by === 'agent'}>
            {' '}
            <span class="t2">{t('by_agent')}</span>
          </Show>
        </Fact>
      </dl>
    </section>
  )
}
