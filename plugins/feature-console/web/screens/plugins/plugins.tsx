import './plugins.css'
import { EmptyState, Failure, Icon, Page, Segments, Skeleton } from '@agent-service/sdk/web'
import { createEffect, createMemo, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { LeftData } from './left-data.js'
import { isMoving, isPlanned, needsAttention, type Plugin, readPlugins } from './plugin.js'
import { PluginRow } from './plugin-row.js'
import { isOfAbsentPlugin, readStoredData, type StoredData } from './stored-data.js'
import { t } from './texts.js'
import { descriptionText } from './words-de.js'

type Scope = 'all' | 'attention' | 'off'

const lookEveryMs = 2_000

/** Every plugin: its state and the reason, what it does and may do, and a switch. */
export default function Plugins(): JSX.Element {
  const list = createQuery({ key: () => ['plugins'], read: readPlugins })
  const stored = createQuery({ key: () => ['plugin-data'], read: readStoredData })
  const reload = async (): Promise<void> => void (await Promise.all([list.reload(), stored.reload()]))
  const dataOf = (id: string): StoredData | undefined => stored.value()?.find((data) => data.id === id)
  const [scope, setScope] = createSignal<Scope>('all')
  const [search, setSearch] = createSignal('')
  const all = () => list.value() ?? []
  /** What is only announced is nothing that a person could use. */
  const usable = () => all().filter((plugin) => !isPlanned(plugin))
  const fits = (plugin: Plugin): boolean =>
    search()
      .toLowerCase()
      .split(/\s+/)
      .every((word) => textOf(plugin).includes(word))
  const inScope = (which: Scope): readonly Plugin[] =>
    usable().filter((plugin) => which === 'all' || (which === 'attention' ? needsAttention(plugin) : plugin.state === 'disabled'))
  const shown = createMemo(() =>
    inScope(scope())
      .filter(fits)
      .sort((one, other) => rankOf(one) - rankOf(other)),
  )
  const byKey = createMemo(() => new Map(shown().map((plugin) => [keyOf(plugin), plugin])))
  useFreshStates(() => all().some(isMoving), reload)
  const count = (which: Scope): string => `${t(which)} ${inScope(which).length}`
  const lead = () => {
    const attention = inScope('attention').length
    return list.value() && t(attention === 0 ? 'lead' : 'lead_attention', { count: usable().length, attention })
  }
  return (
    <Page title={t('title')} lead={lead()}>
      <Show when={list.error()}>{(error) => <Failure error={error()} onRetry={() => void list.reload()} />}</Show>
      <Show when={list.value()} fallback={<Show when={!list.error()}>{<Skeleton lines={8} />}</Show>}>
        <div class="plugins-tools">
          <span class="in">
            <Icon name="search" />
            <input
              type="search"
              aria-label={t('search')}
              placeholder={t('search')}
              value={search()}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
          </span>
          <Segments
            label={t('show_which')}
            value={scope()}
            choices={(['all', 'attention', 'off'] as const).map((value) => ({ value, label: count(value) }))}
            onInput={setScope}
          />
        </div>
        <ul class="rows">
          <For each={[...byKey().keys()]} fallback={<EmptyState title={t('empty')} text={t('empty_text')} />}>
            {(key) => (
              <li>
                <Show when={byKey().get(key)}>
                  {(plugin) => <PluginRow plugin={plugin()} all={all()} data={dataOf(plugin().id)} onChanged={reload} />}
                </Show>
              </li>
            )}
          </For>
        </ul>
        <Show when={stored.error()}>{(error) => <Failure error={error()} onRetry={() => void stored.reload()} />}</Show>
        <LeftData data={(stored.value() ?? []).filter(isOfAbsentPlugin)} onChanged={reload} />
      </Show>
    </Page>
  )

  function textOf(plugin: Plugin): string {
    const { id, description, state, reason, problems, source } = plugin
    return [id, description, descriptionText(plugin).text, t(state), reason, ...problems, source].filter(Boolean).join(' ').toLowerCase()
  }
}

/** Those that need attention come first. */
const rankOf = (plugin: Plugin): number => (needsAttention(plugin) ? 0 : 1)

const keyOf = ({ id, source }: Plugin): string => `${id} ${source}`

/** Reads again while a plugin starts, stops or waits for another try, and when the tab is shown. */
function useFreshStates(isAnyMoving: () => boolean, reload: () => Promise<void>): void {
  createEffect(() => {
    if (!isAnyMoving()) return
    const timer = setInterval(() => void reload(), lookEveryMs)
    onCleanup(() => clearInterval(timer))
  })
  const onShown = (): void => {
    if (document.visibilityState === 'visible') void reload()
  }
  document.addEventListener('visibilitychange', onShown)
  onCleanup(() => document.removeEventListener('visibilitychange', onShown))
}
