import { type JSX, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { currentProfile, signInOptions } from '../../app/session.js'
import { Button } from '../../ui/button.js'
import { Dialog } from '../../ui/dialog.js'
import { PasswordPrompt } from '../../ui/password-prompt.js'
import { t as common } from '../../ui/texts.js'
import { t } from './texts.js'

/**
 * Confirms that the person at the keyboard is the one who signed in, for the few minutes in which
 * the service then allows more.
 */
export function ConfirmIdentity(props: {
  /** What needs it. */
  readonly reason: string
  readonly onClose: () => void
  readonly onConfirmed: () => void
}): JSX.Element {
  const confirm = async (password: string): Promise<void> => {
    await api.post('/api/auth/confirm', { body: { password } })
    props.onConfirmed()
  }
  return (
    <Dialog title={t('confirm_title')} onClose={props.onClose}>
      <p>{props.reason}</p>
      <Show
        when={signInOptions()?.local_auth}
        fallback={
          <footer>
            <a class="btn" href="/api/auth/sso/login?confirm=true" target="_blank" rel="noopener">
              {t('confirm_sso')}
            </a>
            <Button kind="main" onClick={() => props.onConfirmed()}>
              {t('continue')}
            </Button>
          </footer>
        }
      >
        <PasswordPrompt
          username={currentProfile()?.username}
          submit={t('confirm')}
          cancel={common('cancel')}
          onSubmit={confirm}
          onCancel={props.onClose}
        />
      </Show>
    </Dialog>
  )
}
