import { createSignal, For, type JSX, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { emptyDraft, freeHandle } from '../../providers/draft.js'
import { Button } from '../../ui/button.js'
import { Mark } from '../../ui/mark.js'
import { ConnectionForm } from '../providers/form/connection-form.js'
import { connectionsOf } from './read-set-up.js'
import type { StepProps } from './set-up.js'
import { StepFrame } from './step-frame.js'
import { t } from './texts.js'

/** The first provider, tested before it is saved. Those that are there already are enough. */
export function ProviderStep(props: StepProps): JSX.Element {
  const ready = () => connectionsOf(props.found.found)
  const [adding, setAdding] = createSignal(ready().length === 0)
  const { brands, adapters, entries } = props.found.found
  const taken = entries.map(({ handle }) => handle)
  const first = brands.find(({ enabled, kind, authentication }) => enabled && kind === 'built_in' && authentication.includes('api_key'))
  return (
    <StepFrame title={t('provider_title')} lead={t('provider_lead')}>
      <Show when={ready().length > 0}>
        <ul class="rows set-up-list">
          <For each={ready()}>
            {({ handle, brandName, lockedBy }) => (
              <li class="item">
                <Mark name="done" label={t('state_done')} />
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
            <Button kind="main" onClick={() => void props.onDone()}>
              {t('continue')}
            </Button>
            <Button kind="quiet" icon="plus" onClick={() => setAdding(true)}>
              {t('another_provider')}
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
          onSaved={async (handle) => {
            await api.patch('/api/admin/set-up', { body: { provider: 'done', connection: handle } })
            await props.onDone()
          }}
          aside={
            <Button kind="quiet" onClick={() => props.onSkip()}>
              {t('skip')}
            </Button>
          }
        />
      </Show>
    </StepFrame>
  )
}
