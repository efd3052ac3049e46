import { Button, confirmIdentity, Failure, send } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from './texts.js'

const releaseMs = 60_000

/** Everything that the service keeps about the person, as one file, after a confirmation. */
export function ExportPart(): JSX.Element {
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const download = async (): Promise<void> => {
    if (busy() || !(await confirmIdentity(t('export_confirm')))) return
    setBusy(true)
    setFailure(undefined)
    try {
      const answer = await send('post', '/api/users/me/export', { headers: { accept: '*/*' } })
      const [, name = 'agent-service.zip'] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
      // The browser keeps a large one in a file, not in memory.
      save(await answer.blob(), name)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section class="profile-part">
      <h2 class="h3">{t('data')}</h2>
      <p class="help profile-lead">{t('data_help')}</p>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <Button icon="download" busy={busy()} onClick={() => void download()}>
        {t('export')}
      </Button>
    </section>
  )
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), releaseMs)
}
