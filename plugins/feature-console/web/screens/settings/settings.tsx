import '../../settings/settings.css'
import { createEffect, createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/client.js'
import type { Configuration } from '../../api/configuration.js'
import { loadDescriptions } from '../../settings/words/descriptions.js'
import { t } from '../../settings/words/texts.js'
import { Page } from '../../ui/page.js'
import { Failure, Skeleton } from '../../ui/states.js'
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
