import { For, type JSX, Show } from 'solid-js'
import { hrefOf } from './paths.js'
import { t } from './texts.js'

/** The way from all files to a folder. `onOpen`: chooses in place; without it they are links. */
export function Crumbs(props: { readonly path: string; readonly onOpen?: (path: string) => void }): JSX.Element {
  const parts = (): readonly string[] => props.path.split('/')
  const pathTo = (index: number): string =>
    parts()
      .slice(0, index + 1)
      .join('/')
  const labelOf = (part: string, index: number): string => (index === 0 ? t('title') : part)
  return (
    <nav class="files-crumbs small" aria-label={t('place')}>
      <For each={parts().slice(0, -1)}>
        {(part, index) => (
          <>
            <Show when={props.onOpen} fallback={<a href={hrefOf(pathTo(index()))}>{labelOf(part, index())}</a>}>
              {(onOpen) => (
                <button type="button" class="files-crumb" onClick={() => onOpen()(pathTo(index()))}>
                  {labelOf(part, index())}
                </button>
              )}
            </Show>
            <span class="t3" aria-hidden="true">
              /
            </span>
          </>
        )}
      </For>
      <span aria-current="page">{labelOf(parts().at(-1) ?? '', parts().length - 1)}</span>
    </nav>
  )
}
