import { bytesText, errorText, Icon, IconButton, Mark, numberText } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import type { Attachment, Attachments } from './attachments.js'
import { t } from './texts.js'

/** The files above the text: how far each is, and why one could not be uploaded. */
export function AttachmentChips(props: { readonly attachments: Attachments }): JSX.Element {
  const ids = (): readonly string[] => props.attachments.items().map(({ id }) => id)
  return (
    <Show when={ids().length > 0}>
      <ul class="files" aria-label={t('attached')}>
        <For each={ids()}>
          {(id) => (
            <Show when={props.attachments.items().find((each) => each.id === id)}>
              {(file) => <Chip file={file()} attachments={props.attachments} />}
            </Show>
          )}
        </For>
      </ul>
    </Show>
  )
}

function Chip(props: { readonly file: Attachment; readonly attachments: Attachments }): JSX.Element {
  const percent = (): string => numberText(props.file.share, { style: 'percent' })
  const progress = (): string => {
    if (props.file.state === 'uploading') return t('uploading', { percent: percent() })
    return props.file.state === 'checking' ? t('checking') : bytesText(props.file.size)
  }
  return (
    <li
      class="file"
      classList={{ bad: props.file.state === 'failed', tall: props.file.preview !== undefined || props.file.inWorkspaceOnly === true }}
    >
      <Show when={props.file.preview} fallback={<FileMark file={props.file} />}>
        {(address) => <img class="file-thumb" src={address()} alt="" />}
      </Show>
      <span class="file-words">
        <bdi class="cut">{props.file.name}</bdi>
        <Show when={props.file.state === 'failed'}>
          <span class="danger" role="alert">
            <span class="sr">{props.file.name}: </span>
            {errorText(props.file.error)}
          </span>
        </Show>
        <Show when={props.file.state === 'done' && props.file.inWorkspaceOnly}>
          <span class="meta">{t('in_workspace_only')}</span>
        </Show>
      </span>
      <Show when={props.file.state !== 'failed'}>
        <span class="meta">{progress()}</span>
      </Show>
      <Show when={props.file.canRetry && props.file.state === 'failed'}>
        <IconButton
          icon="refresh"
          size="small"
          name={t('retry', { name: props.file.name })}
          onClick={() => props.attachments.retry(props.file.id)}
        />
      </Show>
      <IconButton
        icon="x"
        size="small"
        name={t('remove', { name: props.file.name })}
        onClick={() => props.attachments.remove(props.file.id)}
      />
    </li>
  )
}

function FileMark(props: { readonly file: Attachment }): JSX.Element {
  return (
    <Show
      when={props.file.state !== 'done'}
      fallback={<Icon name={/\.(png|jpe?g|gif|webp)$/i.test(props.file.name) ? 'photo' : 'file-text'} />}
    >
      <Mark name={props.file.state === 'failed' ? 'fail' : 'run'} />
    </Show>
  )
}
