import { Button, bytesText, errorText, Icon, IconButton, isProblem, Mark, numberText } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import type { UploadRow, Uploads } from './create-uploads.js'
import { t } from './texts.js'

/** What is on its way, what rests, and what did not arrive. `onChoose`: asks for a file. */
export function UploadList(props: { readonly uploads: Uploads; readonly onChoose: () => void }): JSX.Element {
  return (
    <Show when={props.uploads.rows().length > 0}>
      <ul class="rows files-uploads" aria-label={t('uploads')}>
        <For each={props.uploads.rows()}>{(row) => <UploadItem row={row} uploads={props.uploads} onChoose={props.onChoose} />}</For>
      </ul>
    </Show>
  )
}

function UploadItem(props: { readonly row: UploadRow; readonly uploads: Uploads; readonly onChoose: () => void }): JSX.Element {
  const { uploads } = props
  const inPieces = (): boolean => props.row.url !== undefined
  return (
    <li class="item files-upload">
      <Show when={props.row.state === 'running' || props.row.state === 'failed'} fallback={<Icon name="upload" />}>
        <Mark name={props.row.state === 'running' ? 'run' : 'fail'} />
      </Show>
      <span class="grow files-name">
        <bdi class="cut">{props.row.name}</bdi>
        <span class="sub">{stateText(props.row)}</span>
        <Show when={props.row.state !== 'failed'}>
          <progress max="1" value={props.row.share} aria-label={t('progress_of', { name: props.row.name })} />
        </Show>
      </span>
      <Show when={props.row.state === 'unfinished'}>
        <Button size="small" onClick={props.onChoose}>
          {t('choose_again')}
        </Button>
      </Show>
      <Show when={props.row.state === 'running' && inPieces()}>
        <IconButton icon="player-pause" size="small" name={t('pause', { name: props.row.name })} onClick={() => uploads.pause(props.row)} />
      </Show>
      <Show when={props.row.state === 'paused' || (props.row.state === 'failed' && inPieces())}>
        <IconButton icon="player-play" size="small" name={t('go_on', { name: props.row.name })} onClick={() => uploads.goOn(props.row)} />
      </Show>
      <Show when={props.row.state !== 'running'}>
        <IconButton icon="x" size="small" name={t('dismiss', { name: props.row.name })} onClick={() => void uploads.dismiss(props.row)} />
      </Show>
    </li>
  )
}

function stateText({ state, share, size, error }: UploadRow): string {
  if (state === 'failed') return isProblem(error) && error.status === 412 ? t('exists') : errorText(error)
  const arrived = t('arrived', { share: percent(share), size: bytesText(size) })
  if (state === 'paused') return t('paused', { arrived })
  return state === 'unfinished' ? t('unfinished', { arrived }) : arrived
}

const percent = (share: number): string => numberText(Math.floor(share * 100) / 100, { style: 'percent' })
