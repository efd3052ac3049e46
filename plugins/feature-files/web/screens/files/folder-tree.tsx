import { addEntryKeys, Button, Failure, folderAddress, Icon, IconButton, navigate, SelectField } from '@agent-service/sdk/web'
import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { readFolders } from './folders.js'
import { faceOf, folderName, ownRoot, rootOf, roots, workspacesRoot } from './roots.js'
import { t } from './texts.js'

/** All folders below their roots, opened down to the one that is shown. */
export function FolderTree(props: { readonly current: string }): JSX.Element {
  const ofAgents = (): readonly string[] =>
    roots()
      .map(({ path }) => path)
      .filter((path) => path !== ownRoot)
  return (
    <nav
      class="files-tree"
      aria-label={t('folders')}
      ref={(tree) =>
        addEntryKeys(tree, { entries: () => [...tree.querySelectorAll<HTMLElement>('.files-branch > a')], row: '.files-branch' })
      }
    >
      <ul>
        <TreeItem path={ownRoot} current={props.current} />
      </ul>
      <Show when={ofAgents().length > 0}>
        <p class="files-roots-head">
          <a href={folderAddress(workspacesRoot)} aria-current={props.current === workspacesRoot ? 'page' : undefined}>
            {t('workspaces')}
          </a>
        </p>
        <Branches paths={ofAgents()} current={props.current} />
      </Show>
    </nav>
  )
}

/** The roots as one choice, where there is no room for the tree. */
export function RootChoice(props: { readonly current: string }): JSX.Element {
  return (
    <Show when={roots().length > 1}>
      <div class="files-root-choice">
        <SelectField
          label={t('root')}
          value={rootOf(props.current)}
          onInput={(path) => void navigate(folderAddress(path))}
          choices={roots().map(({ path }) => ({ value: path, label: folderName(path) }))}
        />
      </div>
    </Show>
  )
}

/** How many folders are shown of one, and added on request. */
const branchesInStep = 100

/** The first of the folders in one, and the way to the others. What leads to the folder that is shown is among them. */
function Branches(props: { readonly paths: readonly string[]; readonly current: string }): JSX.Element {
  const [asked, setAsked] = createSignal(branchesInStep)
  const onTheWay = (): number => props.paths.findIndex((path) => props.current === path || props.current.startsWith(`${path}/`))
  const count = (): number => Math.max(asked(), onTheWay() + 1)
  return (
    <>
      <ul>
        <For each={props.paths.slice(0, count())}>{(path) => <TreeItem path={path} current={props.current} />}</For>
      </ul>
      <Show when={count() < props.paths.length}>
        <Button size="small" kind="quiet" onClick={() => setAsked(count() + branchesInStep)}>
          {t('more_folders')}
        </Button>
      </Show>
    </>
  )
}

function TreeItem(props: { readonly path: string; readonly current: string }): JSX.Element {
  const isOnTheWay = (): boolean => props.current === props.path || props.current.startsWith(`${props.path}/`)
  const [open, setOpen] = createSignal(isOnTheWay())
  const folders = createQuery({
    key: () => (open() ? ['folders', props.path] : undefined),
    read: (signal) => readFolders(props.path, signal),
  })
  createEffect(on(isOnTheWay, (is) => is && setOpen(true), { defer: true }))
  const isLeaf = (): boolean => folders.value()?.length === 0
  return (
    <li>
      <div class="files-branch" classList={{ on: props.current === props.path }}>
        <span class="files-twist">
          <Show when={!isLeaf()}>
            <IconButton
              icon={open() ? 'chevron-down' : 'chevron-right'}
              size="small"
              name={t(open() ? 'close_folder' : 'open_folder', { name: folderName(props.path) })}
              expanded={open()}
              onClick={() => setOpen(!open())}
            />
          </Show>
        </span>
        <a href={folderAddress(props.path)} aria-current={props.current === props.path ? 'page' : undefined}>
          <RootIcon path={props.path} />
          <bdi class="cut">{folderName(props.path)}</bdi>
        </a>
      </div>
      <Show when={open()}>
        <Show when={folders.error()}>{(error) => <Failure error={error()} onRetry={() => void folders.reload()} />}</Show>
        <Show when={(folders.value()?.length ?? 0) > 0}>
          <Branches paths={folders.value()?.map(({ path }) => path) ?? []} current={props.current} />
        </Show>
      </Show>
    </li>
  )
}

/** The face of the agent whose workspace it is; the icon of a folder for all else. */
export function RootIcon(props: { readonly path: string }): JSX.Element {
  const agent = () => roots().find(({ path }) => path === props.path)?.agent
  return (
    <Show when={agent()} fallback={<Icon name="folder" />}>
      {(found) => (
        <span class="face" aria-hidden="true">
          {faceOf(found())}
        </span>
      )}
    </Show>
  )
}
