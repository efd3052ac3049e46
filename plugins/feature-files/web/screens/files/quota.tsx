import { bytesText } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import { t } from './texts.js'

/** What the person's files take, and may take. */
export function Quota(props: { readonly usage: Schemas['StorageUsage'] | undefined }): JSX.Element {
  return (
    <Show when={props.usage} fallback={<>&nbsp;</>}>
      {(usage) => (
        <>
          {usage().max_bytes === null
            ? t('used', { used: bytesText(usage().used_bytes) })
            : t('used_of', { used: bytesText(usage().used_bytes), max: bytesText(usage().max_bytes ?? 0) })}
        </>
      )}
    </Show>
  )
}
