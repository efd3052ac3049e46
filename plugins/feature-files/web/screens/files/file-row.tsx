import { bytesText, folderAddress, Icon, type IconName, itemActions, MenuButton, momentText, whenText } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Listed } from './folders.js'
import { folderOf } from './paths.js'
import { folderName, isOwn, wayTo } from './roots.js'
import { t } from './texts.js'

/** One entry of a folder, with what can be done with it. */
export function FileRow(props: {
  readonly file: Listed
  readonly onShow: () => void
  readonly onRename: () => void
  readonly onMove: () => void
  readonly onCopy: () => void
  readonly onBin: () => void
  /** Says where it is, too. */
  readonly withFolder?: boolean
}): JSX.Element {
  const isChangeable = (): boolean => props.file.kind === 'file' || props.file.kind === 'folder'
  return (
    <div class="item">
      <Icon name={iconOf(props.file)} />
      <span class="grow files-name" classList={{ 'files-binned': props.withFolder }}>
        <Show
          when={props.file.kind === 'folder'}
          fallback={
            <Show when={props.file.kind === 'file'} fallback={<bdi class="t2">{props.file.name}</bdi>}>
              <button type="button" class="files-open" onClick={() => props.onShow()}>
                <bdi>{props.file.name}</bdi>
              </button>
            </Show>
          }
        >
          <a class="files-open" href={folderAddress(props.file.path)}>
            <bdi>{props.file.name}</bdi>
          </a>
        </Show>
        <Show when={props.withFolder}>
          <span class="sub cut">{placeText(props.file.path)}</span>
        </Show>
      </span>
      <Show when={props.file.kind === 'file'}>
        <span class="meta">{bytesText(props.file.size)}</span>
      </Show>
      <span class="meta files-when" title={momentText(props.file.modified_at)}>
        {whenText(props.file.modified_at)}
      </span>
      <Show when={isChangeable()}>
        <MenuButton
          name={t('actions_for', { name: props.file.name })}
          size="small"
          items={[
            ...(props.file.kind === 'file' ? itemActions({ kind: 'file', name: props.file.name, path: props.file.path }) : []),
            { label: t('rename'), icon: 'pencil', run: () => props.onRename() },
            { label: t('move'), icon: 'folder', run: () => props.onMove() },
            { label: t('make_copy'), icon: 'copy', run: () => props.onCopy() },
            { label: t(isOwn(props.file.path) ? 'to_bin' : 'delete'), icon: 'trash', danger: true, run: () => props.onBin() },
          ]}
        />
      </Show>
    </div>
  )
}

/** Where an entry is, for people. */
export const placeText = (path: string): string => wayTo(folderOf(path)).map(folderName).join(' / ')

export function iconOf({ kind, name }: Pick<Listed, 'kind' | 'name'>): IconName {
  if (kind === 'folder') return 'folder'
  if (/\.(png|jpe?g|gif|webp|svg)$/i.test(name)) return 'photo'
  if (/\.(zip|gz|tar|7z)$/i.test(name)) return 'file-zip'
  return /\.(csv|tsv|xlsx?)$/i.test(name) ? 'table' : 'file-text'
}
