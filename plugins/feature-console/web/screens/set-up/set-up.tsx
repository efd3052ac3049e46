import './set-up.css'
import { Button, currentQuery, Failure, navigate, Skeleton, type StepState, textOf } from '@agent-service/sdk/web'
import { createMemo, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { api, createQuery } from '../../api/index.js'
import { panelPartsKey } from '../../app/panel-parts.js'
import { End } from './end.js'
import { type SetUp as Found, type FoundStep, readSetUp } from './read-set-up.js'
import { StepFrame } from './step-frame.js'
import { StepList } from './step-list.js'
import { t } from './texts.js'

const end = 'end'

/** The set-up after the first account. The service keeps the state, so that it goes on anywhere. */
export default function SetUp(): JSX.Element {
  // Not while a step is being filled in.
  const found = createQuery({ key: () => panelPartsKey('set_up'), follow: false, read: readSetUp })
  return (
    <div class="page set-up">
      <h1 class="sr" tabindex="-1">
        {t('title')}
      </h1>
      <Show when={found.error()}>{(error) => <Failure error={error()} onRetry={() => void found.reload()} />}</Show>
      <Show when={found.value()} fallback={<Show when={!found.error()}>{<Skeleton lines={6} />}</Show>}>
        {(value) => <Steps found={value()} reload={found.reload} />}
      </Show>
    </div>
  )
}

/** The list of steps, and the one that the address names, or else the first that is open. */
function Steps(props: { readonly found: Found; readonly reload: () => Promise<void> }): JSX.Element {
  const steps = (): readonly FoundStep[] => props.found.steps
  const stepNamed = (name: string): FoundStep | undefined => steps().find((step) => step.name === name)
  const current = (): string => {
    const wanted = currentQuery().get('step')
    const named = wanted === null ? undefined : stepNamed(wanted)
    const open = steps().find(({ state }) => state === 'open')
    return wanted === end ? end : ((named ?? open)?.name ?? end)
  }
  // The same after each reading, so that a form keeps what was typed.
  const step = createMemo(() => stepNamed(current())?.step)
  const goOn = async (): Promise<void> => {
    const index = steps().findIndex(({ name }) => name === current())
    const next = steps()[index + 1]?.name ?? end
    await props.reload()
    void navigate(`/set-up?step=${next}`)
  }
  const note = async (state: StepState): Promise<void> => {
    await api.patch('/api/admin/set-up', { body: { steps: { [current()]: state } } })
  }
  const done = async (place?: string): Promise<void> => {
    await note('done')
    if (place === undefined) await goOn()
    else void navigate(place)
  }
  const skip = async (): Promise<void> => {
    if (stepNamed(current())?.state === 'open') await note('skipped')
    await goOn()
  }
  return (
    <div class="set-up-grid">
      <StepList steps={steps()} current={current()} />
      <div class="set-up-step">
        <Show
          when={step()}
          keyed
          fallback={<End configuration={props.found.configuration} steps={steps()} onApplied={() => void props.reload()} />}
        >
          {(shown) => (
            <StepFrame title={textOf(shown.heading)} lead={textOf(shown.lead)}>
              <Dynamic
                component={shown.View}
                found={steps().find((each) => each.step === shown)?.found}
                onDone={done}
                onNext={goOn}
                skip={
                  <Button kind="quiet" onClick={() => void skip()}>
                    {t('skip')}
                  </Button>
                }
              />
            </StepFrame>
          )}
        </Show>
      </div>
    </div>
  )
}
