import '../../settings/settings.css'
import { Failure, Page, Skeleton } from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { createEffect, createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { loadDescriptions } from '../../settings/words/descriptions.js'
import { t } from '../../settings/words/texts.js'
import { Editor } from './editor.js'

/** The settings editor, made from the schema of the configuration. */
export default function Settings(): JSX.Element {
  const [configuration, setConfiguration] = createSignal<Configuration>()
  const [failure, setFailure] = createSignal<unknown>()
  const load = async (): Promise<void> => {
    try {
      const [found] = await Promise.all([api.get('/api/admin/config'), loadDescriptions()])
      setConfiguration(found)
      setFailure(undefined)
    } catch (error) {
      setFailure(error)
    }
  }
  void load()
  // Also when another language is chosen meanwhile.
  createEffect(() => void loadDescriptions())
  return (
    <Show
      when={configuration()}
      fallback={
        <Page title={t('title')}>
          <Show when={failure()} fallback={<Skeleton lines={8} />}>
            {(error) => <Failure error={error()} onRetry={() => void load()} />}
          </Show>
        </Page>
      }
    >
      {(found) => <Editor configuration={found()} onRead={setConfiguration} />}
    </Show>
  )
}
