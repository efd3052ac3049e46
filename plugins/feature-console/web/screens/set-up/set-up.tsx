import '../../providers/providers.css'
import '../models/models.css'
import './set-up.css'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { api } from '../../api/client.js'
import { createLoaded } from '../../api/loaded.js'
import { ApplyBar } from '../../app/apply-bar.js'
import { currentQuery, navigate } from '../../app/router.js'
import { ButtonLink } from '../../ui/button.js'
import { Mark, type MarkName } from '../../ui/mark.js'
import { EmptyState, Failure, Skeleton } from '../../ui/states.js'
import { AgentStep } from './agent-step.js'
import { MemoryStep } from './memory-step.js'
import { ModelsStep } from './models-step.js'
import { ProviderStep } from './provider-step.js'
import { type SetUp as Found, readSetUp, type StepName, type StepState, stepNames } from './read-set-up.js'
import { RegistrationStep } from './registration-step.js'
import { t } from './texts.js'

/** What a step does with the way on: each may be left and taken up again. */
export interface StepProps {
  readonly found: Found
  /** Reads everything again and goes to the next step. */
  readonly onDone: () => Promise<void>
  readonly onSkip: () => void
  readonly reload: () => Promise<void>
}

/** The set-up after the first account. The service keeps the state, so that it goes on anywhere. */
export default function SetUp(): JSX.Element {
  const found = createLoaded(readSetUp)
  const current = (): StepName | 'end' => {
    const wanted = currentQuery().get('step')
    const steps = found.value()?.steps ?? []
    const named = stepNames.find((name) => name === wanted && steps.some((step) => step.name === name))
    return wanted === 'end' ? 'end' : (named ?? steps.find(({ state }) => state === 'open')?.name ?? 'end')
  }
  const go = (step: StepName | 'end'): void => void navigate(`/set-up?step=${step}`)
  const next = (): StepName | 'end' => {
    const steps = found.value()?.steps ?? []
    const index = steps.findIndex(({ name }) => name === current())
    return steps[index + 1]?.name ?? 'end'
  }
  const done = async (): Promise<void> => {
    const following = next()
    await found.reload()
    go(following)
  }
  const skip = async (): Promise<void> => {
    const step = current()
    if (step !== 'end' && found.value()?.steps.find(({ name }) => name === step)?.state === 'open')
      await api.patch('/api/admin/set-up', { body: { [step]: 'skipped' } })
    await done()
  }
  return (
    <div class="page set-up">
      <h1 class="sr" tabindex="-1">
        {t('title')}
      </h1>
      <Show when={found.error()}>{(error) => <Failure error={error()} onRetry={() => void found.reload()} />}</Show>
      <Show when={found.value()} fallback={<Show when={!found.error()}>{<Skeleton lines={6} />}</Show>}>
        {(value) => {
          const step: StepProps = {
            get found() {
              return value()
            },
            onDone: done,
            onSkip: () => void skip(),
            reload: found.reload,
          }
          return (
            <div class="set-up-grid">
              <Steps found={value()} current={current()} />
              <div class="set-up-step">
                <Switch>
                  <Match when={current() === 'registration'}>
                    <RegistrationStep {...step} />
                  </Match>
                  <Match when={current() === 'memory'}>
                    <MemoryStep {...step} />
                  </Match>
                  <Match when={current() === 'provider'}>
                    <ProviderStep {...step} />
                  </Match>
                  <Match when={current() === 'models'}>
                    <ModelsStep {...step} />
                  </Match>
                  <Match when={current() === 'agent'}>
                    <AgentStep {...step} />
                  </Match>
                  <Match when={current() === 'end'}>
                    <ApplyBar configuration={value().found.configuration} onApplied={() => void found.reload()} />
                    <EmptyState
                      title={t(value().groups.length > 0 ? 'end_title' : 'end_open')}
                      text={t(value().groups.length > 0 ? 'end_text' : 'end_open_text')}
                    >
                      <ButtonLink href="/" kind="main">
                        {t('to_home')}
                      </ButtonLink>
                    </EmptyState>
                  </Match>
                </Switch>
              </div>
            </div>
          )
        }}
      </Show>
    </div>
  )
}

function Steps(props: { readonly found: Found; readonly current: StepName | 'end' }): JSX.Element {
  return (
    <nav class="set-up-nav" aria-label={t('title')}>
      <ol class="steps">
        <li>
          <Mark name="done" label={t('state_done')} />
          <span>
            <b>{t('step_account')}</b>
            <span class="small t3">{t('state_done')}</span>
          </span>
        </li>
        <For each={props.found.steps}>
          {({ name, state }) => (
            <li aria-current={props.current === name ? 'step' : undefined}>
              <Mark name={props.current === name ? 'next' : marks[state]} label={t(`state_${state}`)} />
              <a href={`/set-up?step=${name}`}>
                <b>{t(`step_${name}`)}</b>
                <span class="small t3">{t(`state_${state}`)}</span>
              </a>
            </li>
          )}
        </For>
      </ol>
      <p class="small t3 set-up-note">{t('note')}</p>
    </nav>
  )
}

const marks: Readonly<Record<StepState, MarkName>> = { open: 'off', done: 'done', skipped: 'pause' }
