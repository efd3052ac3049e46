import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { pathOf } from '../../api/configuration.js'
import { createLoaded } from '../../api/loaded.js'
import type { Schemas } from '../../api/types.js'
import { applyConfiguration } from '../../app/applying.js'
import { saveConfiguration } from '../../app/save-configuration.js'
import { requestOfEntry } from '../../providers/draft.js'
import { failureText, TestOutcome } from '../../providers/live-test.js'
import { ModelFacts, matching, type OfferedModel, readOffer } from '../../providers/offered-models.js'
import type { Entry } from '../../providers/read-providers.js'
import { Button } from '../../ui/button.js'
import { type Choice, SelectField, TextField } from '../../ui/field.js'
import { Mark } from '../../ui/mark.js'
import { showToast } from '../../ui/notices.js'
import { Failure, Skeleton } from '../../ui/states.js'
import { t as common } from '../../ui/texts.js'
import { connectionsOf } from './read-set-up.js'
import { groupNameFor, smallModelFor } from './recommended-models.js'
import type { StepProps } from './set-up.js'
import { StepFrame } from './step-frame.js'
import { t } from './texts.js'

const maxShown = 50

/** Chooses a main model, a small one and perhaps a third, applies everything and makes a first call of each. */
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
                {t('models_set', { model: group().title, provider: group().brand_name })}
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
  /** What the person chose; undefined: what is recommended. */
  const [chosenSmall, setChosenSmall] = createSignal<string>()
  const [third, setThird] = createSignal('')
  const [problem, setProblem] = createSignal<string>()
  const [phase, setPhase] = createSignal<'saving' | 'restarting' | 'testing'>()
  const [failure, setFailure] = createSignal<unknown>()
  const [tests, setTests] = createSignal<readonly Schemas['ModelGroupTest'][]>([])
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
  const taken = (): readonly string[] => props.found.groups.map(({ name }) => name)
  const recommended = (): string | undefined => smallModelFor(model(), models())
  /** A group for small work that is there already stays, unless another model is chosen for it. */
  const small = (): string => chosenSmall() ?? (taken().includes('small') ? '' : (recommended() ?? ''))
  const choices = (): readonly Choice<string>[] => [
    { value: '', label: t('model_none') },
    ...models().map((each) => ({ value: each.id, label: nameOf(each) })),
  ]
  const groups = (): readonly (readonly [name: string, model: string])[] => [
    ['primary', model().trim()],
    ...(small() === '' ? [] : [['small', small()] as const]),
    ...(third() === '' ? [] : [[groupNameFor(third(), [...taken(), 'primary', 'small']), third()] as const]),
  ]
  const save = async (): Promise<void> => {
    if (phase() !== undefined) return
    setProblem(model().trim() === '' ? common('required') : undefined)
    if (problem() !== undefined) return
    setFailure(undefined)
    setTests([])
    setPhase('saving')
    try {
      const wanted = groups()
      if (!(await saveConfiguration(changeOf(wanted, handle(), entry()?.saved?.['adapter'] === 'adapter_alpha')))) return
      await api.patch('/api/admin/set-up', { body: { models: 'done', connection: handle() } })
      setPhase('restarting')
      await applyConfiguration()
      setPhase('testing')
      const results = await Promise.all(wanted.map(([group]) => api.post('/api/admin/model-groups/{group}/test', { path: { group } })))
      if (results[0]?.targets.some(({ ok, tools }) => ok && tools === false)) showToast(t('models_without_tools'), { mark: 'warn' })
      if (results.every(({ ok }) => ok)) return await props.onDone()
      setTests(results)
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
            <div class="set-up-options set-up-models">
              <For each={matching(models(), query()).slice(0, maxShown)}>
                {(each) => (
                  <label>
                    <input type="radio" name="model" checked={each.id === model()} onChange={() => setModel(each.id)} />
                    <ModelFacts model={each} brief />
                  </label>
                )}
              </For>
            </div>
            <Show when={matching(models(), query()).length > maxShown}>
              <p class="help">{t('more_models', { count: matching(models(), query()).length - maxShown })}</p>
            </Show>
          </fieldset>
          <SelectField
            label={t('model_small')}
            help={t('model_small_help')}
            value={small()}
            onInput={setChosenSmall}
            choices={choices().map((choice) =>
              choice.value === recommended() ? { ...choice, label: t('model_recommended', { name: choice.label }) } : choice,
            )}
          />
          <SelectField label={t('model_third')} help={t('model_third_help')} value={third()} onInput={setThird} choices={choices()} />
        </Show>
      </Show>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <For each={tests().flatMap(({ targets }) => targets)}>
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
          when={tests().length > 0}
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

const nameOf = ({ id, name }: OfferedModel): string => (name === null || name === id ? id : `${name} (${id})`)

/** The change of the file that gives each group its model at the connection. */
function changeOf(
  groups: readonly (readonly [name: string, model: string])[],
  provider: string,
  needsCompletions: boolean,
): { readonly set: Readonly<Record<string, string>>; readonly reset: readonly string[] } {
  const members = groups.flatMap(([group, model]) => [
    [pathOf('models', group, 'provider'), provider] as const,
    [pathOf('models', group, 'model'), model] as const,
  ])
  const protocols = groups.map(([group]) => pathOf('models', group, 'api'))
  return {
    set: Object.fromEntries([...members, ...(needsCompletions ? protocols.map((path) => [path, 'completions'] as const) : [])]),
    reset: needsCompletions ? [] : protocols,
  }
}
