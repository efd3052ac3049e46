import { Button, ButtonLink, bytesText, errorText, momentText, Sheet, showToast } from '@agent-service/sdk/web'
import { contentAddress, createReading, FileView, type ShownFile } from '@agent-service/sdk/web/preview'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { t } from './texts.js'

/** Shows a file over its folder. */
export function Preview(props: { readonly file: ShownFile; readonly onClose: () => void }): JSX.Element {
  const reading = createReading(() => props.file)
  const [checksum, setChecksum] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const compute = async (): Promise<void> => {
    setBusy(true)
    try {
      setChecksum((await api.get('/api/files/checksum', { query: { path: props.file.path } })).sha256)
    } catch (error) {
      showToast(errorText(error))
    } finally {
      setBusy(false)
    }
  }
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
          <Button kind="quiet" busy={busy()} onClick={() => void compute()}>
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
