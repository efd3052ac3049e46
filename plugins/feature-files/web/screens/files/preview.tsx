import { Button, ButtonLink, bytesText, createAction, errorText, momentText, Sheet, showToast } from '@agent-service/sdk/web'
import { contentAddress, createReading, FileView, type ShownFile } from '@agent-service/sdk/web/preview'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { t } from './texts.js'

/** Shows a file over its folder. */
export function Preview(props: { readonly file: ShownFile; readonly onClose: () => void }): JSX.Element {
  const reading = createReading(() => props.file)
  const [checksum, setChecksum] = createSignal<string>()
  const compute = createAction(() =>
    api.get('/api/files/checksum', { query: { path: props.file.path } }).then(
      ({ sha256 }) => setChecksum(sha256),
      (error) => showToast(errorText(error)),
    ),
  )
  const facts = (): string => {
    const { size, modifiedAt } = reading.loaded.value() ?? {}
    return [size !== undefined && bytesText(size), modifiedAt !== undefined && momentText(modifiedAt)].filter(Boolean).join(' · ')
  }
  return (
    <Sheet
      title={props.file.name}
      wide
      onClose={props.onClose}
      footer={
        <>
          <Button kind="quiet" busy={compute.busy()} onClick={() => void compute.run()}>
            {t('checksum')}
          </Button>
          <ButtonLink href={contentAddress(props.file.path)} icon="download" download={props.file.name}>
            {t('download')}
          </ButtonLink>
        </>
      }
    >
      <Show when={facts()}>{(text) => <p class="meta files-facts">{text()}</p>}</Show>
      <Show when={checksum()}>{(sha256) => <p class="meta files-checksum">SHA-256 {sha256()}</p>}</Show>
      <FileView reading={reading} />
    </Sheet>
  )
}
