import '../../providers/providers.css'
import { Button, defineSetUpStep, Mark, type SetUpStepProps } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { emptyDraft, freeHandle } from '../../providers/draft.js'
import { type Providers, readProviders, usableIn } from '../../providers/read-providers.js'
import { ConnectionForm } from './form/connection-form.js'
import { t } from './set-up-texts.js'

/** The first provider, tested before it is saved. Those that are there already are enough. */
export default defineSetUpStep<Providers>({
  order: 30,
  title: { en: 'Model provider', de: 'Modellanbieter' },
  heading: { en: 'Add a model provider', de: 'Füge einen Modellanbieter hinzu' },
  lead: {
    en: 'Agents think with models from a provider. One is enough to start; its key is stored encrypted and never shown again.',
    de: 'Agenten denken mit Modellen eines Anbieters. Einer genügt für den Anfang; sein Schlüssel wird verschlüsselt gespeichert und nie wieder gezeigt.',
  },
  async read({ configuration, signal }) {
    const found = await readProviders(signal, configuration)
    return { isDone: usableIn(found).length > 0, found }
  },
  View: AddProvider,
})

function AddProvider(props: SetUpStepProps<Providers>): JSX.Element {
  const ready = () => usableIn(props.found)
  const [adding, setAdding] = createSignal(ready().length === 0)
  const { brands, adapters, entries } = props.found
  const taken = entries.map(({ handle }) => handle)
  const first = brands.find(({ enabled, kind, authentication }) => enabled && kind === 'built_in' && authentication.includes('api_key'))
  const saved = async (handle: string): Promise<void> => {
    // The step of the models begins with this connection.
    await api.patch('/api/admin/set-up', { body: { steps: { 'set-up-provider': 'done' }, connection: handle } })
    await props.onNext()
  }
  return (
    <>
      <Show when={ready().length > 0}>
        <ul class="rows providers-ready">
          <For each={ready()}>
            {({ handle, brandName, lockedBy }) => (
              <li class="item">
                <Mark name="done" label={t('ready')} />
                <span class="grow">
                  <bdi>{handle}</bdi>
                  <span class="sub">
                    <Show when={brandName !== handle}>
                      <bdi>{brandName}</bdi>
                    </Show>
                    <Show when={lockedBy}>{(variable) => <> {t('found_in', { variable: variable() })}</>}</Show>
                  </span>
                </span>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show
        when={adding()}
        fallback={
          <div class="form-foot">
            <Button kind="main" onClick={() => void props.onNext()}>
              {t('continue')}
            </Button>
            <Button kind="quiet" icon="plus" onClick={() => setAdding(true)}>
              {t('another')}
            </Button>
          </div>
        }
      >
        <ConnectionForm
          initial={{ ...emptyDraft, brand: first?.id ?? emptyDraft.brand, handle: freeHandle(first?.id ?? 'endpoint', taken) }}
          isNew
          brands={brands}
          adapters={adapters}
          taken={taken}
          action={t('test_and_continue')}
          onSaved={saved}
          aside={props.skip}
        />
      </Show>
    </>
  )
}
