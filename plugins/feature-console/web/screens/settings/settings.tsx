import '../../settings/settings.css'
import { Failure, Page, Skeleton } from '@agent-service/sdk/web'
import { createEffect, type JSX, Show } from 'solid-js'
import { createConfiguration } from '../../settings/save/create-configuration.js'
import { loadDescriptions } from '../../settings/words/descriptions.js'
import { t } from '../../settings/words/texts.js'
import { Editor } from './editor.js'

/** The settings editor, made from the schema of the configuration. */
export default function Settings(): JSX.Element {
  const configuration = createConfiguration()
  // Also when another language is chosen meanwhile.
  createEffect(() => void loadDescriptions())
  return (
    <Show
      when={configuration.value()}
      fallback={
        <Page title={t('title')}>
          <Show when={configuration.error()} fallback={<Skeleton lines={8} />}>
            {(error) => <Failure error={error()} onRetry={() => void configuration.reload()} />}
          </Show>
        </Page>
      }
    >
      {(found) => <Editor configuration={found()} onRead={configuration.set} />}
    </Show>
  )
}
