import { Button, currentProfile, Dialog, signInOptions, commonText as ui } from '@agent-service/sdk/web'
import { PasswordPrompt } from '@agent-service/sdk/web/host'
import { type JSX, Show } from 'solid-js'
import { api } from '../api/index.js'
import { t } from './texts.js'

/**
 * Confirms that the person at the keyboard is the one who signed in, by the ways in which people
 * sign in here: an account may have no password.
 */
export function ConfirmIdentity(props: { readonly reason: string; readonly onAnswer: (confirmed: boolean) => void }): JSX.Element {
  const confirm = async (password: string): Promise<void> => {
    await api.post('/api/auth/confirm', { body: { password } })
    props.onAnswer(true)
  }
  return (
    <Dialog title={t('confirm_title')} onClose={() => props.onAnswer(false)}>
      <p>{props.reason}</p>
      <Show when={signInOptions()?.local_auth}>
        <PasswordPrompt
          username={currentProfile()?.username}
          submit={t('confirm')}
          cancel={ui('cancel')}
          onSubmit={confirm}
          onCancel={() => props.onAnswer(false)}
        />
      </Show>
      <Show when={signInOptions()?.sso.enabled}>
        <footer>
          <a class="btn" href="/api/auth/sso/login?confirm=true" target="_blank" rel="noopener">
            {t('confirm_sso')}
          </a>
          <Button kind={signInOptions()?.local_auth ? 'quiet' : 'main'} onClick={() => props.onAnswer(true)}>
            {t('confirm_continue')}
          </Button>
        </footer>
      </Show>
    </Dialog>
  )
}
