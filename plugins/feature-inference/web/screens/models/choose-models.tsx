import './models.css'
import '../../providers/providers.css'
import {
  applyConfiguration,
  Button,
  type Choice,
  commonText as common,
  createAction,
  Failure,
  Mark,
  SelectField,
  type SetUpStepProps,
  Skeleton,
  showToast,
  TextField,
} from '@agent-service/sdk/web'
import { ChoiceCards, pathOf, saveConfiguration } from '@agent-service/sdk/web/configuration'
import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { requestOfEntry } from '../../providers/draft.js'
import { failureText, TestOutcome } from '../../providers/live-test.js'
import { createOffer, ModelFacts, matching, type OfferedModel } from '../../providers/offered-models.js'
import { type Entry, type Providers, usableIn } from '../../providers/read-providers.js'
import { groupNameFor, smallModelFor } from './recommended-models.js'
import { t } from './set-up-texts.js'

/** What the step of the models shows. */
export interface FoundModels {
  readonly providers: Providers
  readonly groups: readonly Schemas['ModelGroup'][]
  /** The connection that the step of the providers made. */
  readonly connection: string | null
}

const maxShown = 50

/** Chooses a main model, a small one and perhaps a third, applies everything and makes a first call of each. */
export function ChooseModels(props: SetUpStepProps<FoundModels>): JSX.Element {
  const connections = (): readonly Entry[] => usableIn(props.found.providers)
  const [handle, setHandle] = createSignal(
    (connections().find((each) => each.handle === props.found.connection) ?? connections()[0])?.handle ?? '',
  )
  const entry = (): Entry | undefined => connections().find((each) => each.handle === handle())
  const [query, setQuery] = createSignal('')
  const [model, setModel] = createSignal('')
  /** What the person chose; undefined: what is recommended. */
  const [chosenSmall, setChosenSmall] = createSignal<string>()
  const [third, setThird] = createSignal('')
  const [problem, setProblem] = createSignal<string>()
  const [phase, setPhase] = createSignal<'saving' | 'restarting' | 'testing'>('saving')
  const [tests, setTests] = createSignal<readonly Schemas['ModelGroupTest'][]>([])
  const offer = createOffer(() => {
    const chosen = entry()
    return chosen && requestOfEntry(chosen)
  })
  const models = (): readonly OfferedModel[] => (offer.value()?.models ?? []).filter(({ answers }) => answers !== false)
  createEffect(
    on(models, (found) => {
      const brand = props.found.providers.brands.find(
        ({ id }) => id === (entry()?.saved?.['provider'] ?? entry()?.running?.brand ?? handle()),
      )
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
  const saving = createAction(async () => {
    setTests([])
    setPhase('saving')
    const wanted = groups()
    if (!(await saveConfiguration(changeOf(wanted, handle(), entry()?.saved?.['adapter'] === 'adapter_alpha')))) return
    await api.patch('/api/admin/set-up', { body: { steps: { 'set-up-models': 'done' }, connection: handle() } })
    setPhase('restarting')
    await applyConfiguration()
    setPhase('testing')
    const results = await Promise.all(wanted.map(([group]) => api.post('/api/admin/model-groups/{group}/test', { path: { group } })))
    if (results[0]?.targets.some(({ ok, tools }) => ok && tools === false)) showToast(t('without_tools'), { mark: 'warn' })
    if (results.every(({ ok }) => ok)) return await props.onNext()
    setTests(results)
  })
  const save = (): void => {
    setProblem(model().trim() === '' ? common('required') : undefined)
    if (problem() === undefined) void saving.run()
  }
  return (
    <form
      class="form models-offer"
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Show when={connections().length > 1}>
        <SelectField
          label={t('provider')}
          value={handle()}
          onInput={setHandle}
          choices={connections().map((each) => ({ value: each.handle, label: each.handle }))}
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
          <ChoiceCards
            legend={t('model')}
            as="list"
            choices={matching(models(), query())
              .slice(0, maxShown)
              .map(({ id }) => id)}
            value={model()}
            onInput={setModel}
            help={
              <Show when={matching(models(), query()).length > maxShown}>
                <p class="help">{t('more_models', { count: matching(models(), query()).length - maxShown })}</p>
              </Show>
            }
          >
            {(id) => <Show when={models().find((each) => each.id === id)}>{(each) => <ModelFacts model={each()} brief />}</Show>}
          </ChoiceCards>
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
      <Show when={saving.failure()}>{(error) => <Failure error={error()} />}</Show>
      <For each={tests().flatMap(({ targets }) => targets)}>
        {(target) => (
          <div class="providers-test" role="status">
            <TestOutcome result={target} />
          </div>
        )}
      </For>
      <Show when={saving.busy()}>
        <p class="providers-test" role="status">
          <Mark name="run" />
          {t(`phase_${phase()}`)}
        </p>
      </Show>
      <div class="form-foot">
        <Button kind="main" type="submit" busy={saving.busy()}>
          {t('use_model')}
        </Button>
        <Show when={tests().length > 0} fallback={props.skip}>
          <Button kind="quiet" onClick={() => void props.onNext()}>
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
