import { folderAddress } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { folderName, wayTo } from './roots.js'
import { t } from './texts.js'

/** The way from a root to a folder. `onOpen`: chooses in place; without it they are links. */
export function Crumbs(props: { readonly path: string; readonly onOpen?: (path: string) => void }): JSX.Element {
  return (
    <nav class="files-crumbs small" aria-label={t('place')}>
      <For each={wayTo(props.path).slice(0, -1)}>
        {(path) => (
          <>
            <Show when={props.onOpen} fallback={<a href={folderAddress(path)}>{folderName(path)}</a>}>
              {(onOpen) => (
                <button type="button" class="files-crumb" onClick={() => onOpen()(path)}>
                  {folderName(path)}
                </button>
              )}
            </Show>
            <span class="t3" aria-hidden="true">
              /
            </span>
          </>
        )}
      </For>
      <span aria-current="page">{folderName(props.path)}</span>
    </nav>
  )
}
