import { Button, bytesText, createAction, errorText, Icon, IconButton, itemActions, showToast } from '@agent-service/sdk/web'
import { createMemo, createSignal, createUniqueId, For, Index, type JSX, Show } from 'solid-js'
import { showBeside } from '../../beside/beside.js'
import { iconOf } from './file-kind.js'
import type { MadeFile } from './made-file.js'
import './made-files.css'
import { isThere, saveFile } from './saved-file.js'
import { t } from './texts.js'
import { Thumbnail } from './thumbnail.js'

/** How many cards are shown before all are wanted. One more than that is shown at once. */
const maxShown = 4

/** Files that an agent has made, each with what can be done with it. */
export function FileCards(props: { readonly files: readonly MadeFile[] }): JSX.Element {
  const [all, setAll] = createSignal(false)
  const list = createUniqueId()
  const byPath = createMemo(() => new Map(props.files.map((file) => [file.path, file])))
  const isLong = (): boolean => props.files.length > maxShown + 1
  const shown = (): readonly string[] => {
    const paths = [...byPath().keys()]
    return isLong() && !all() ? paths.slice(0, maxShown) : paths
  }
  return (
    <section class="made below" aria-label={t('made_files')}>
      <ul id={list}>
        <For each={shown()}>{(path) => <Show when={byPath().get(path)}>{(file) => <FileCard file={file()} />}</Show>}</For>
      </ul>
      <Show when={isLong()}>
        <Button kind="quiet" size="small" expanded={all()} controls={list} onClick={() => setAll(!all())}>
          {all() ? t('show_fewer') : t('show_all', { count: props.files.length })}
        </Button>
      </Show>
    </section>
  )
}

function FileCard(props: { readonly file: MadeFile }): JSX.Element {
  const [isGone, setGone] = createSignal(false)
  /** Only what is still there is opened or saved; the card says it of what is not. */
  const using = createAction(async (act: (file: MadeFile) => void) => {
    const { file } = props
    const there = await isThere(file.path)
    setGone(!there)
    if (there) act(file)
  })
  const use = async (act: (file: MadeFile) => void): Promise<void> => {
    const isDone = await using.run(act)
    if (!isDone && using.failure() !== undefined) showToast(errorText(using.failure()), { mark: 'fail' })
  }
  return (
    <li class="made-file">
      <span class="made-picture">
        <Thumbnail file={props.file} fallback={<Icon name={iconOf(props.file)} />} />
      </span>
      <span class="made-words">
        <bdi class="cut" title={props.file.path}>
          {props.file.name}
        </bdi>
        <span class="meta">{bytesText(props.file.size)}</span>
        <span class="made-gone" role="status">
          {isGone() ? t('gone') : ''}
        </span>
      </span>
      <span class="made-acts">
        <Button size="small" busy={using.busy()} label={t('open_named', { name: props.file.name })} onClick={() => void use(showBeside)}>
          {t('open')}
        </Button>
        <IconButton icon="download" size="small" name={t('download_named', { name: props.file.name })} onClick={() => void use(saveFile)} />
        <Index each={itemActions({ kind: 'file', name: props.file.name, path: props.file.path })}>
          {(action) => (
            <Show when={action().isUsable()}>
              <IconButton
                icon={action().icon}
                size="small"
                {...(action().hasPopup && { hasPopup: 'dialog' as const })}
                name={action().namedLabel}
                onClick={() => action().run()}
              />
            </Show>
          )}
        </Index>
      </span>
    </li>
  )
}
