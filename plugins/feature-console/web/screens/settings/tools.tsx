import { Icon, IconButton, Segments, useCommands } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { t } from '../../settings/words/texts.js'
import type { ShownRows } from './shown-rows.js'

/** The search, and whether all settings are shown. */
export function Tools(props: { readonly shown: ShownRows }): JSX.Element {
  const { search, setSearch, scope, setScope } = props.shown
  let field: HTMLInputElement | undefined
  useCommands({
    id: 'settings.search',
    title: { en: 'Find a setting', de: 'Einstellung suchen' },
    keys: '/',
    group: { en: 'Settings', de: 'Einstellungen' },
    run: () => field?.focus(),
  })
  return (
    <div class="settings-tools">
      <span class="in">
        <Icon name="search" />
        <input
          ref={(element) => {
            field = element
          }}
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={search()}
          onInput={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setSearch('')
          }}
        />
        <Show when={search() !== ''}>
          <IconButton icon="x" size="small" name={t('clear_search')} onClick={() => setSearch('')} />
        </Show>
      </span>
      <Segments
        label={t('show_which')}
        value={scope()}
        choices={[
          { value: 'all', label: t('all') },
          { value: 'set', label: t('set_only') },
        ]}
        onInput={setScope}
      />
    </div>
  )
}
