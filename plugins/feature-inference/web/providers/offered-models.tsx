import { Badge, EmptyState, Failure, numberText, type Query, Sheet, Skeleton, TextField, whenConfirmed } from '@agent-service/sdk/web'
import { VirtualRows } from '@agent-service/sdk/web/lists'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api, createQuery, type Schemas } from '../api/index.js'
import { failureText, type TestRequest } from './live-test.js'
import { t } from './texts.js'

export type OfferedModel = Schemas['OfferedModel']
export type ModelOffer = Schemas['ModelOffer']

/**
 * The models that are offered to a connection: the request of a test without its protocol. A saved
 * key goes to another address only after a confirmation.
 */
export async function readOffer({ api: _, model: __, ...connection }: TestRequest, signal?: AbortSignal): Promise<ModelOffer> {
  let offer: ModelOffer | undefined
  await whenConfirmed(t('confirm_secret'), async () => {
    offer = await api.post('/api/admin/connections/models', { body: connection, ...(signal && { signal }) })
  })
  if (!offer) throw new Error(t('not_confirmed'))
  return offer
}

/** The same for as long as a component is there; what was offered first stays there to be chosen. */
export const createOffer = (request: () => TestRequest | undefined): Query<ModelOffer> =>
  createQuery({
    key: () => {
      const asked = request()
      return asked && ['offer', asked]
    },
    read: (signal) => readOffer(request() as TestRequest, signal),
    follow: false,
  })

/** The models that a connection offers, with what they can do. */
export function OfferedModels(props: {
  readonly handle: string
  readonly request: TestRequest
  readonly onClose: () => void
}): JSX.Element {
  const [query, setQuery] = createSignal('')
  const offer = createOffer(() => props.request)
  const found = (): readonly OfferedModel[] => matching(offer.value()?.models ?? [], query())
  return (
    <Sheet title={t('models_of', { handle: props.handle })} onClose={props.onClose}>
      <Show when={offer.error()}>{(error) => <Failure error={error()} onRetry={() => void offer.reload()} />}</Show>
      <Show when={offer.value()} fallback={<Show when={offer.isLoading()}>{<Skeleton lines={6} />}</Show>}>
        {(current) => (
          <Show
            when={current().failure}
            fallback={
              <>
                <p class="small t2 providers-from">
                  {t(current().source === 'catalogue' ? 'from_catalogue' : 'from_provider', { count: current().models.length })}
                </p>
                <Show when={current().models.length > 8}>
                  <TextField label={t('find_model')} type="search" value={query()} onInput={setQuery} />
                </Show>
                <Show
                  when={current().models.length > 0}
                  fallback={<EmptyState title={t('failure_no_models')} text={t('no_models_text')} />}
                >
                  <VirtualRows
                    items={found()}
                    label={t('models')}
                    text={({ id, name }) => (name === null ? id : `${name} ${id}`)}
                    rowHeight={65}
                    rowClass="providers-model"
                  >
                    {(model) => <ModelFacts model={model} />}
                  </VirtualRows>
                </Show>
              </>
            }
          >
            {(kind) => <EmptyState title={failureText(kind())} text={current().message ?? ''} />}
          </Show>
        )}
      </Show>
    </Sheet>
  )
}

/** Models whose id or name has all words. */
export function matching(models: readonly OfferedModel[], query: string): readonly OfferedModel[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return models.filter(({ id, name }) => words.every((word) => `${id} ${name ?? ''}`.toLowerCase().includes(word)))
}

/** The name of a model and its capabilities, as far as they are known. `brief`: of these only what it lacks, for one line. */
export function ModelFacts(props: { readonly model: OfferedModel; readonly brief?: boolean }): JSX.Element {
  const abilities = (): readonly string[] => [
    ...(props.brief ? [] : props.model.abilities.map(abilityText)),
    ...(props.model.input.includes('image') && !props.brief ? [t('images')] : []),
    ...(props.model.answers === false ? [t('no_answers')] : []),
    ...(props.model.tools === false && props.model.answers !== false ? [t('no_tools')] : []),
  ]
  const facts = (): string =>
    [
      props.model.context_window === null ? '' : t('window', { tokens: numberText(props.model.context_window, { notation: 'compact' }) }),
      priceText(props.model),
    ]
      .filter((text) => text !== '')
      .join(' · ')
  return (
    <span class="providers-facts">
      <Show
        when={props.model.name !== null && props.model.name !== props.model.id}
        fallback={<bdi class="mono small">{props.model.id}</bdi>}
      >
        <span>
          <bdi>{props.model.name}</bdi> <bdi class="mono small t3">{props.model.id}</bdi>
        </span>
      </Show>
      <span class="row providers-abilities">
        <For each={abilities()}>{(text) => <Badge>{text}</Badge>}</For>
        <span class="meta">{facts()}</span>
      </span>
    </span>
  )
}

function priceText({ price }: OfferedModel): string {
  if (price?.input === undefined || price.output === undefined) return ''
  const dollars = (value: number): string => numberText(value, { style: 'currency', currency: 'USD', maximumFractionDigits: 2 })
  return t('price', { input: dollars(price.input), output: dollars(price.output) })
}

function abilityText(ability: string): string {
  switch (ability) {
    case 'tools':
    case 'reasoning':
    case 'structured_output':
      return t(`ability_${ability}`)
    default:
      return ability
  }
}
