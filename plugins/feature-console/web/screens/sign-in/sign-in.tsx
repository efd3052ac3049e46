import { BannerBar, Button, createAction, currentPath, navigate, PasswordField, signInOptions, TextField } from '@agent-service/sdk/web'
import { demoLinkRefused, signIn } from '@agent-service/sdk/web/host'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { Problem } from '../../accounts/sign-in/problem.js'
import { t as shared } from '../../accounts/sign-in/texts.js'
import { Unencrypted } from '../../accounts/sign-in/unencrypted.js'
import { Door } from '../../shell/door.js'
import { FirstAccount } from './first-account.js'
import { t } from './texts.js'

/** Where a person goes after signing in: what they asked for. */
const wanted = (): string => (currentPath() === '/sign-in' ? '/' : `${currentPath()}${location.search}`)

/** Signing in; on a new installation the first account instead. */
export default function SignIn(): JSX.Element {
  return (
    <Show when={signInOptions()?.needs_account && !demoLinkRefused()} fallback={<SignInForm />}>
      <FirstAccount />
    </Show>
  )
}

function SignInForm(): JSX.Element {
  const [username, setUsername] = createSignal('')
  const [password, setPassword] = createSignal('')
  const signingIn = createAction(async () => {
    const next = wanted()
    await signIn(username().trim(), password())
    void navigate(next, { replace: true })
  })
  const options = signInOptions
  return (
    <Door title={shared('sign_in')} lead={shared('to_host', { host: location.host })}>
      <Unencrypted />
      <Show when={demoLinkRefused()}>
        <BannerBar banner={{ id: 'demo', text: t('demo_link') }} />
      </Show>
      <Show when={options()?.local_auth}>
        <form
          class="l"
          onSubmit={(event) => {
            event.preventDefault()
            void signingIn.run()
          }}
        >
          <Problem error={signingIn.failure()} />
          <TextField
            label={t('address')}
            name="username"
            autocomplete="username"
            autofocus
            required
            value={username()}
            onInput={setUsername}
          />
          <PasswordField
            label={shared('password')}
            name="password"
            autocomplete="current-password"
            value={password()}
            onInput={setPassword}
          />
          <Button kind="main" size="large" wide type="submit" busy={signingIn.busy()}>
            {signingIn.busy() ? t('signing_in') : shared('sign_in')}
          </Button>
        </form>
      </Show>
      <Switch>
        <Match when={options()?.sso.enabled}>
          <Show when={options()?.local_auth} fallback={<p class="more">{t('local_off')}</p>}>
            <div class="or">{t('or')}</div>
          </Show>
          <a
            class="btn l wide"
            classList={{ main: !options()?.local_auth }}
            href={`/api/auth/sso/login?return_to=${encodeURIComponent(wanted())}`}
          >
            {t('sso')}
          </a>
        </Match>
        <Match when={!options()?.local_auth}>
          <p class="more">{t('no_way')}</p>
        </Match>
      </Switch>
      <Show when={options()?.registration !== 'closed' && options()?.local_auth}>
        <p class="small t2 door-foot">
          {t('new_here')} <a href="/register">{shared(options()?.registration === 'approval' ? 'ask' : 'sign_up')}</a>
        </p>
      </Show>
    </Door>
  )
}
