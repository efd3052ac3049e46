import '../../providers/providers.css'
import { Button, defineSetUpStep, Mark, readAll, type SetUpStepProps } from '@agent-service/sdk/web'
import { savedIn } from '@agent-service/sdk/web/configuration'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { readProviders, usableIn } from '../../providers/read-providers.js'
import { ChooseModels, type FoundModels } from './choose-models.js'
import { t } from './set-up-texts.js'

/** Chooses the models with which agents answer. */
export default defineSetUpStep<FoundModels>({
  order: 40,
  title: { en: 'Models', de: 'Modelle' },
  heading: { en: 'Choose your models', de: 'Wähle deine Modelle' },
  lead: {
    en: 'Agents answer with the main one unless another is chosen. Each is tested with one short call.',
    de: 'Agenten antworten mit dem Hauptmodell, wenn kein anderes gewählt ist. Jedes wird mit einem kurzen Aufruf getestet.',
  },
  async read({ configuration, signal }) {
    const [providers, { connection }, groups] = await Promise.all([
      readProviders(signal, configuration),
      api.get('/api/admin/set-up', { signal }),
      readAll((cursor) => api.get('/api/models', { query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal })),
    ])
    return {
      isDone: groups.length > 0 || Object.keys(savedIn(configuration, 'models')).length > 0,
      lacks: groups.length > 0 ? undefined : withoutModels,
      found: { providers, groups, connection },
    }
  },
  View: Models,
})

const withoutModels = {
  en: 'Agents cannot answer without a provider and a model.',
  de: 'Ohne Anbieter und Modell können Agenten nicht antworten.',
}

function Models(props: SetUpStepProps<FoundModels>): JSX.Element {
  const hasConnection = (): boolean => usableIn(props.found.providers).length > 0
  const primary = () => props.found.groups.find(({ name }) => name === 'primary')
  const [changing, setChanging] = createSignal(primary() === undefined)
  return (
    <Show
      when={!changing() && primary()}
      fallback={
        <Show when={hasConnection()} fallback={<NoConnection skip={props.skip} />}>
          <ChooseModels {...props} />
        </Show>
      }
    >
      {(group) => (
        <>
          <p class="row providers-ready">
            <Mark name="done" label={t('done')} />
            <span>
              {t('set', { model: group().title, provider: group().brand_name })}
              <Show when={group().tools === false}>{` ${t('without_tools')}`}</Show>
            </span>
          </p>
          <div class="form-foot">
            <Button kind="main" onClick={() => void props.onNext()}>
              {t('continue')}
            </Button>
            <Show when={hasConnection()}>
              <Button kind="quiet" onClick={() => setChanging(true)}>
                {t('other_model')}
              </Button>
            </Show>
          </div>
        </>
      )}
    </Show>
  )
}

const NoConnection = (props: { readonly skip: JSX.Element }): JSX.Element => (
  <>
    <p class="t2">{t('need_provider')}</p>
    <div class="form-foot">{props.skip}</div>
  </>
)
