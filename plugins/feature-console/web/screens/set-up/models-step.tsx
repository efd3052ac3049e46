import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { createLoaded } from '../../api/loaded.js'
import type { Schemas } from '../../api/types.js'
import { Button } from '../../ui/button.js'
import { SelectField, TextField } from '../../ui/field.js'
import { Mark } from '../../ui/mark.js'
import { showToast } from '../../ui/notices.js'
import { Failure, Skeleton } from '../../ui/states.js'
import { t as common } from '../../ui/texts.js'
import { applyConfiguration, saveConfiguration } from '../providers/common/configuration.js'
import { requestOfEntry } from '../providers/common/draft.js'
import { failureText, TestOutcome } from '../providers/common/live-test.js'
import { ModelFacts, matching, type OfferedModel, readOffer } from '../providers/common/offered-models.js'
import type { Entry } from '../providers/common/read-providers.js'
import { connectionsOf } from './read-set-up.js'
import type { StepProps } from './set-up.js'
import { StepFrame } from './step-frame.js'
import { t } from './texts.js'

const maxShown = 50

/** Chooses the model of the group `primary`, applies everything and makes a first call. */
export function ModelsStep(props: StepProps): JSX.Element {
  const ready = (): readonly Entry[] => connectionsOf(props.found.found)
  const primary = () => props.found.groups.find(({ name }) => name === 'primary')
  const [changing, setChanging] = createSignal(primary() === undefined)
  return (
    <StepFrame title={t('models_title')} lead={t('models_lead')}>
      <Show
        when={!changing() && primary()}
        fallback={
          <Show
            when={ready().length > 0}
            fallback={
              <>
                <p class="t2">{t('models_need_provider')}</p>
                <div class="form-foot">
                  <Button kind="quiet" onClick={() => props.onSkip()}>
                    {t('skip')}
                  </Button>
                </div>
              </>
            }
          >
            <ChooseModel {...props} connections={ready()} />
          </Show>
        }
      >
        {(group) => (
          <>
            <p class="row set-up-list">
              <Mark name="done" label={t('state_done')} />
              <span>
                {t('models_set', { model: group().model, provider: group().provider })}
                <Show when={group().tools === false}>{` ${t('models_without_tools')}`}</Show>
              </span>
            </p>
            <div class="form-foot">
              <Button kind="main" onClick={() => void props.onDone()}>
                {t('continue')}
              </Button>
              <Show when={ready().length > 0}>
                <Button kind="quiet" onClick={() => setChanging(true)}>
                  {t('other_model')}
                </Button>
              </Show>
            </div>
          </>
        )}
      </Show>
    </StepFrame>
  )
}

function ChooseModel(props: StepProps & { readonly connections: readonly Entry[] }): JSX.Element {
  const { progress } = props.found
  const [handle, setHandle] = createSignal(
    (props.connections.find((entry) => entry.handle === progress.connection) ?? props.connections[0])?.handle ?? '',
  )
  const entry = (): Entry | undefined => props.connections.find((each) => each.handle === handle())
  const [query, setQuery] = createSignal('')
  const [model, setModel] = createSignal('')
  const [problem, setProblem] = createSignal<string>()
  const [phase, setPhase] = createSignal<'saving' | 'restarting' | 'testing'>()
  const [failure, setFailure] = createSignal<unknown>()
  const [test, setTest] = createSignal<Schemas['ModelGroupTest']>()
  const offer = createLoaded(async (signal) => {
    const chosen = entry()
    if (!chosen) return undefined
    return await readOffer(chosen.running ? { handle: chosen.handle } : requestOfEntry(chosen.handle, chosen.saved ?? {}), signal)
  })
  const models = (): readonly OfferedModel[] => (offer.value()?.models ?? []).filter(({ answers }) => answers !== false)
  createEffect(
    on(models, (found) => {
      const brand = props.found.found.brands.find(({ id }) => id === (entry()?.saved?.['provider'] ?? entry()?.running?.brand ?? handle()))
      const preferred = found.find(({ id }) => id === brand?.default_model) ?? found[0]
      if (!found.some(({ id }) => id === model())) setModel(preferred?.id ?? '')
    }),
  )
  const save = async (): Promise<void> => {
    if (phase() !== undefined) return
    setProblem(model().trim() === '' ? common('required') : undefined)
    if (problem() !== undefined) return
    setFailure(undefined)
    setTest(undefined)
    setPhase('saving')
    try {
      const needsCompletions = entry()?.saved?.['adapter'] === 'adapter_alpha'
      const isSaved = await saveConfiguration({
        set: {
          'models.primary.provider': handle(),
          'models.primary.model': model().trim(),
          ...(needsCompletions && { 'models.primary.api': 'completions' }),
        },
        reset: needsCompletions ? [] : ['models.primary.api'],
      })
      if (!isSaved) return
      await api.patch('/api/admin/set-up', { body: { models: 'done', connection: handle() } })
      setPhase('restarting')
      await applyConfiguration()
      setPhase('testing')
      const result = await api.post('/api/admin/model-groups/{group}/test', { path: { group: 'primary' } })
      if (result.targets.some(({ ok, tools }) => ok && tools === false)) showToast(t('models_without_tools'), { mark: 'warn' })
      if (result.ok) return await props.onDone()
      setTest(result)
    } catch (error) {
      setFailure(error)
    } finally {
      setPhase(undefined)
    }
  }
  return (
    <form
      class="form"
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Show when={props.connections.length > 1}>
        <SelectField
          label={t('provider')}
          value={handle()}
          onInput={setHandle}
          choices={props.connections.map((each) => ({ value: each.handle, label: each.handle }))}
        />
      </Show>
      <Show when={offer.error()}>{(error) => <Failure error={error()} onRetry={() => void offer.reload()} />}</Show>
      <Show when={!offer.isLoading()} fallback={<Skeleton lines={5} />}>
        <Show
          when={models().length > 0}
          fallback={
            <>
              <Show when={offer.value()}>
                {(found) => (
                  <div class="providers-test" role="status">
                    <Mark name="fail" />
                    <span class="providers-why">
                      <b>{failureText(found().failure ?? 'no_models')}</b>
                      <span class="t2 small">{found().message}</span>
                    </span>
                    <Button size="small" icon="refresh" onClick={() => void offer.reload()}>
                      {common('retry')}
                    </Button>
                  </div>
                )}
              </Show>
              <TextField label={t('model')} mono help={t('model_help')} value={model()} error={problem()} onInput={setModel} />
            </>
          }
        >
          <Show when={models().length > 8}>
            <TextField label={t('find_model')} type="search" value={query()} onInput={setQuery} />
          </Show>
          <fieldset>
            <legend class="lbl">{t('model')}</legend>
            <div class="set-up-options">
              <For each={matching(models(), query()).slice(0, maxShown)}>
                {(each) => (
                  <label>
                    <input type="radio" name="model" checked={each.id === model()} onChange={() => setModel(each.id)} />
                    <ModelFacts model={each} />
                  </label>
                )}
              </For>
            </div>
            <Show when={matching(models(), query()).length > maxShown}>
              <p class="help">{t('more_models', { count: matching(models(), query()).length - maxShown })}</p>
            </Show>
          </fieldset>
        </Show>
      </Show>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <For each={test()?.targets ?? []}>
        {(target) => (
          <div class="providers-test" role="status">
            <TestOutcome result={target} />
          </div>
        )}
      </For>
      <Show when={phase()}>
        {(current) => (
          <p class="providers-test" role="status">
            <Mark name="run" />
            {t(`phase_${current()}`)}
          </p>
        )}
      </Show>
      <div class="form-foot">
        <Button kind="main" type="submit" busy={phase() !== undefined}>
          {t('use_model')}
        </Button>
        <Show
          when={test()}
          fallback={
            <Button kind="quiet" onClick={() => props.onSkip()}>
              {t('skip')}
            </Button>
          }
        >
          <Button kind="quiet" onClick={() => void props.onDone()}>
            {t('continue_anyway')}
          </Button>
        </Show>
      </div>
    </form>
  )
}
