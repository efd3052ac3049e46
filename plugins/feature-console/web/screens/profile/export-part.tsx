import { Button, confirmIdentity, createAction, Failure, send } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { t } from './texts.js'

const releaseMs = 60_000

/** Everything that the service keeps about the person, as one file, after a confirmation. */
export function ExportPart(): JSX.Element {
  const downloading = createAction(async () => {
    const answer = await send('post', '/api/users/me/export', { headers: { accept: '*/*' } })
    const [, name = 'agent-service.zip'] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
    // The browser keeps a large one in a file, not in memory.
    save(await answer.blob(), name)
  })
  const download = async (): Promise<void> => {
    if (!downloading.busy() && (await confirmIdentity(t('export_confirm')))) await downloading.run()
  }
  return (
    <section class="profile-part">
      <h2 class="h3">{t('data')}</h2>
      <p class="help profile-lead">{t('data_help')}</p>
      <Show when={downloading.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Button icon="download" busy={downloading.busy()} onClick={() => void download()}>
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
