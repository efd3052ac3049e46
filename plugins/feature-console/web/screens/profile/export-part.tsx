import { createSignal, type JSX, Show } from 'solid-js'
import { Button } from '../../ui/button.js'
import { Failure } from '../../ui/states.js'
import { ConfirmIdentity } from './confirm-identity.js'
import { t } from './texts.js'

/** Everything that the service keeps about the person, as one file, after a confirmation. */
export function ExportPart(): JSX.Element {
  const [asking, setAsking] = createSignal(false)
  const [refused, setRefused] = createSignal(false)
  let form: HTMLFormElement | undefined
  const begin = (): void => {
    setAsking(false)
    setRefused(false)
    form?.submit()
  }
  return (
    <section class="profile-part">
      <h2 class="h3">{t('data')}</h2>
      <p class="help profile-lead">{t('data_help')}</p>
      <Show when={refused()}>
        <Failure error={new Error(t('export_refused'))} />
      </Show>
      <Button icon="download" onClick={() => setAsking(true)}>
        {t('export')}
      </Button>
      {/* The browser writes the archive to a file as it arrives, whatever its size. Only a refusal loads into the frame. */}
      <form ref={(element) => (form = element)} method="post" action="/api/users/me/export" target="profile-export" hidden />
      <iframe name="profile-export" hidden title={t('export')} onLoad={(event) => setRefused(isRefusal(event.currentTarget))} />
      <Show when={asking()}>
        <ConfirmIdentity reason={t('export_confirm')} onClose={() => setAsking(false)} onConfirmed={begin} />
      </Show>
    </section>
  )
}

/** A download leaves the frame at its first, empty page. */
const isRefusal = (frame: HTMLIFrameElement): boolean => frame.contentWindow?.location.href !== 'about:blank'
