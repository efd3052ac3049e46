import './plugins.css'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { createPagedList } from '../../api/paged-list.js'
import type { Schemas } from '../../api/types.js'
import { StateMark } from '../../ui/badge.js'
import { Toggle } from '../../ui/field.js'
import type { MarkName } from '../../ui/mark.js'
import { showToast } from '../../ui/notices.js'
import { Page } from '../../ui/page.js'
import { PagedRows } from '../../ui/paged-rows.js'
import { EmptyState, Failure } from '../../ui/states.js'
import { t } from './texts.js'

type Plugin = Schemas['Plugin']

const marks: Partial<Record<Plugin['state'], MarkName>> = {
  active: 'done',
  failed: 'fail',
  invalid: 'fail',
  blocked: 'warn',
  retrying: 'run',
  starting: 'run',
  stopping: 'run',
}

/** Every plugin: its state and the reason, what it may do, and a switch. */
export default function Plugins(): JSX.Element {
  const list = createPagedList<Plugin>({
    load: (cursor) => api.get('/api/admin/plugins', { query: { limit: 100, ...(cursor !== undefined && { cursor }) } }),
    idOf: ({ id }) => id,
  })
  const [failure, setFailure] = createSignal<unknown>()
  const change = async (id: string, enabled: boolean): Promise<void> => {
    setFailure(undefined)
    try {
      if (enabled) await api.post('/api/admin/plugins/{id}/enable', { path: { id } })
      else {
        const { stopped } = await api.post('/api/admin/plugins/{id}/disable', { path: { id } })
        const others = stopped.filter((other) => other !== id)
        if (others.length > 0) showToast(t('stopped_with', { ids: others.join(', ') }))
      }
    } catch (error) {
      setFailure(error)
    }
    await list.reload()
  }
  return (
    <Page title={t('title')}>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows list={list} label={t('title')} empty={<EmptyState title={t('empty')} text={t('empty_text')} />}>
        {(plugin) => (
          <div class="plugins-row">
            <span>
              <b>{plugin.id}</b> <span class="meta">{plugin.version}</span>{' '}
              <StateMark mark={marks[plugin.state] ?? 'off'}>{t(plugin.state)}</StateMark>
            </span>
            <Toggle
              hideLabel
              label={t('enable', { id: plugin.id })}
              value={plugin.state !== 'disabled'}
              onInput={(on) => void change(plugin.id, on)}
            />
            <Show when={plugin.reason}>{(reason) => <p>{reason()}</p>}</Show>
            <For each={plugin.permissions}>
              {({ kind, reason, targets }) => <p>{[kind, targets?.join(', '), reason].filter(Boolean).join(' · ')}</p>}
            </For>
          </div>
        )}
      </PagedRows>
    </Page>
  )
}
