import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { IconButton } from '../../ui/button.js'
import { Icon } from '../../ui/icon.js'
import { Failure } from '../../ui/states.js'
import { type Listed, readFolders } from './folders.js'
import { hrefOf } from './paths.js'
import { t } from './texts.js'

/** All folders, opened down to the one that is shown. `version` grows when folders have changed. */
export function FolderTree(props: { readonly current: string; readonly version: number }): JSX.Element {
  return (
    <nav class="files-tree" aria-label={t('folders')}>
      <ul>
        <TreeItem path="files" name={t('title')} current={props.current} version={props.version} />
      </ul>
    </nav>
  )
}

function TreeItem(props: {
  readonly path: string
  readonly name: string
  readonly current: string
  readonly version: number
}): JSX.Element {
  const isOnTheWay = (): boolean => props.current === props.path || props.current.startsWith(`${props.path}/`)
  const [open, setOpen] = createSignal(isOnTheWay())
  const [folders, setFolders] = createSignal<readonly Listed[]>()
  const [failure, setFailure] = createSignal<unknown>()
  const load = async (): Promise<void> => {
    try {
      setFolders(await readFolders(props.path))
      setFailure(undefined)
    } catch (error) {
      setFailure(error)
    }
  }
  createEffect(on([open, () => props.version], ([isOpen]) => void (isOpen && load())))
  createEffect(on(isOnTheWay, (is) => is && setOpen(true), { defer: true }))
  const isLeaf = (): boolean => folders()?.length === 0
  return (
    <li>
      <div class="files-branch" classList={{ on: props.current === props.path }}>
        <span class="files-twist">
          <Show when={!isLeaf()}>
            <IconButton
              icon={open() ? 'chevron-down' : 'chevron-right'}
              size="small"
              name={t(open() ? 'close_folder' : 'open_folder', { name: props.name })}
              expanded={open()}
              onClick={() => setOpen(!open())}
            />
          </Show>
        </span>
        <a href={hrefOf(props.path)} aria-current={props.current === props.path ? 'page' : undefined}>
          <Icon name="folder" />
          <bdi class="cut">{props.name}</bdi>
        </a>
      </div>
      <Show when={open()}>
        <Show when={failure()}>{(error) => <Failure error={error()} onRetry={() => void load()} />}</Show>
        <Show when={(folders()?.length ?? 0) > 0}>
          <ul>
            <For each={folders()?.map(({ path }) => path)}>
              {(path) => <TreeItem path={path} name={path.split('/').at(-1) ?? ''} current={props.current} version={props.version} />}
            </For>
          </ul>
        </Show>
      </Show>
    </li>
  )
}
