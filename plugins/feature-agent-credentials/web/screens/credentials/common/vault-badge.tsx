import { Badge } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Source } from '../../../credentials/source.js'
import { t } from './texts.js'

/** Where it is kept, unless that is here. */
export function VaultBadge(props: { readonly source: Source }): JSX.Element {
  return (
    <Show when={props.source.vault !== undefined}>
      <Badge tone={props.source.vault === null ? 'warn' : 'line'}>
        {props.source.vault == null ? t('of_vault_gone') : t('of_vault', { vault: props.source.vault })}
      </Badge>
    </Show>
  )
}
