import { currentProfile, Dialog, signInOptions } from '@agent-service/sdk/web'
import { leave, PasswordPrompt, signIn } from '@agent-service/sdk/web/host'
import { type JSX, Show } from 'solid-js'
import { t } from './texts.js'

/** Over the screen when the session ended: the screen and what was typed stay. */
export function ExpiredDialog(): JSX.Element {
  return (
    <Dialog title={t('expired_title')} modalOnly onClose={() => undefined}>
      <p>{t('expired_text')}</p>
      <Show
        when={signInOptions()?.local_auth}
        fallback={
          <footer>
            <a class="btn main" href="/api/auth/sso/login?return_to=/" target="_blank" rel="noopener opener">
              {t('sign_in_sso')}
            </a>
          </footer>
        }
      >
        <PasswordPrompt
          username={currentProfile()?.username}
          submit={t('sign_in')}
          cancel={t('leave')}
          onSubmit={(password) => signIn(currentProfile()?.username ?? '', password)}
          onCancel={leave}
        />
      </Show>
    </Dialog>
  )
}
