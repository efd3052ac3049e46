import { isProblem, Mark } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { api, createQuery } from '../../../api/index.js'
import { t } from './texts.js'

/**
 * One quiet line where an agent may run code that nothing confines, because of `sandbox.disabled`.
 * Agents without such tools, and services without a sandbox, have none.
 */
export function UnconfinedNote(props: { readonly agentId: string | null | undefined }): JSX.Element {
  const runsFreely = createQuery({
    key: () => ['unconfined', props.agentId ?? null],
    read: (signal) => mayRunUnconfined(props.agentId, signal),
  })
  return (
    <Show when={runsFreely.value()}>
      <p class="dock-in small t2">
        <span>
          <Mark name="warn" /> {t('unconfined')} <a href="/sandbox/machine">{t('unconfined_more')}</a>
        </span>
      </p>
    </Show>
  )
}

async function mayRunUnconfined(agentId: string | null | undefined, signal: AbortSignal): Promise<boolean> {
  if (typeof agentId !== 'string') return false
  try {
    const { disabled } = await api.get('/api/sandbox', { signal })
    if (!disabled) return false
    const { items } = await api.get('/api/tools', { query: { agent: agentId, limit: 200 }, signal })
    return items.some(({ plugin_id, available }) => plugin_id === 'feature-sandbox' && available)
  } catch (error) {
    if (isProblem(error)) return false
    throw error
  }
}
