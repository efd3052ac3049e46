import { signInOptions } from '@agent-service/sdk/web'
import { createSignal, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { AccountForm } from '../../accounts/sign-in/account-form.js'
import { Problem } from '../../accounts/sign-in/problem.js'
import { t as shared } from '../../accounts/sign-in/texts.js'
import { Unencrypted } from '../../accounts/sign-in/unencrypted.js'
import { api, createQuery } from '../../api/index.js'
import { Door } from '../../shell/door.js'
import { t } from './texts.js'

/**
 * Signing up: with the invitation in the address, `/register#invitation=…`, or as registration
 * permits. Browsers send what is behind the `#` to no server.
 */
export default function Register(): JSX.Element {
  const token = new URLSearchParams(location.hash.slice(1)).get('invitation')
  const [isWaiting, setWaiting] = createSignal(false)
  return (
    <Switch fallback={<SignUp onWaiting={() => setWaiting(true)} />}>
      <Match when={isWaiting()}>
        <Waiting />
      </Match>
      <Match when={token}>{(invitation) => <Invited token={invitation()} />}</Match>
    </Switch>
  )
}

/** It takes the place of the form, whose button had the focus. */
function Waiting(): JSX.Element {
  onMount(() => document.querySelector<HTMLElement>('main h1')?.focus())
  return (
    <Door title={t('waiting_title')} lead={t('waiting')}>
      <ToSignIn />
    </Door>
  )
}

function SignUp(props: { readonly onWaiting: () => void }): JSX.Element {
  const isAsking = (): boolean => signInOptions()?.registration === 'approval'
  return (
    <Show
      when={signInOptions()?.registration !== 'closed' && signInOptions()?.local_auth}
      fallback={
        <Door title={t('closed_title')} lead={t('closed')}>
          <ToSignIn />
        </Door>
      }
    >
      <Door title={shared(isAsking() ? 'ask' : 'sign_up')} lead={isAsking() ? t('ask_lead') : shared('to_host', { host: location.host })}>
        <Unencrypted />
        <AccountForm next="/" action={isAsking() ? shared('ask') : shared('create')} onWaiting={props.onWaiting} />
        <p class="small t2 door-foot">
          {t('have_account')} <a href="/sign-in">{shared('sign_in')}</a>
        </p>
      </Door>
    </Show>
  )
}

/** The account of a person with an invitation. One that does not work says how to go on. */
function Invited(props: { readonly token: string }): JSX.Element {
  const loaded = createQuery({
    key: () => ['invitation', props.token],
    follow: false,
    read: (signal) => api.post('/api/auth/invitation', { body: { invitation: props.token }, signal }),
  })
  return (
    <Switch>
      <Match when={loaded.error()}>
        {(error) => (
          <Door title={t('invited_void')} lead={t('invited_way')}>
            <Problem error={error()} />
            <ToSignIn />
          </Door>
        )}
      </Match>
      <Match when={loaded.value()}>
        {(invitation) => (
          <Door title={t('invited')} lead={shared('to_host', { host: location.host })}>
            <Unencrypted />
            <Show when={invitation().email}>{(email) => <p class="small t2">{t('invited_email', { email: email() })}</p>}</Show>
            <AccountForm next="/" action={shared('create')} invitation={props.token} />
          </Door>
        )}
      </Match>
    </Switch>
  )
}

const ToSignIn = (): JSX.Element => (
  <p class="door-foot">
    <a href="/sign-in">{shared('sign_in')}</a>
  </p>
)
