import { createSignal, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { api } from '../../api/client.js'
import { createLoaded } from '../../api/loaded.js'
import { isProblem } from '../../api/problem.js'
import { navigate } from '../../app/router.js'
import { sessionBegan, signInOptions } from '../../app/session.js'
import { language } from '../../i18n/language.js'
import { Door } from '../../shell/door.js'
import { Button } from '../../ui/button.js'
import { PasswordField, TextField } from '../../ui/field.js'
import { Problem } from './problem.js'
import { t } from './texts.js'
import { Unencrypted } from './unencrypted.js'

/**
 * Signing up: with the invitation in the address, `/register#invitation=…`, or as registration
 * permits. Browsers send what is behind the `#` to no server.
 */
export function NewAccount(): JSX.Element {
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
      <Door title={t(isAsking() ? 'ask' : 'sign_up')} lead={isAsking() ? t('ask_lead') : t('to_host', { host: location.host })}>
        <Unencrypted />
        <AccountForm next="/" action={isAsking() ? t('ask') : t('create')} onWaiting={props.onWaiting} />
        <p class="small t2 door-foot">
          {t('have_account')} <a href="/sign-in">{t('sign_in')}</a>
        </p>
      </Door>
    </Show>
  )
}

/** The account of a person with an invitation. One that does not work says how to go on. */
function Invited(props: { readonly token: string }): JSX.Element {
  const loaded = createLoaded((signal) => api.post('/api/auth/invitation', { body: { invitation: props.token }, signal }))
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
          <Door title={t('invited')} lead={t('to_host', { host: location.host })}>
            <Unencrypted />
            <Show when={invitation().email}>{(email) => <p class="small t2">{t('invited_email', { email: email() })}</p>}</Show>
            <AccountForm next="/" action={t('create')} invitation={props.token} />
          </Door>
        )}
      </Match>
    </Switch>
  )
}

const ToSignIn = (): JSX.Element => (
  <p class="door-foot">
    <a href="/sign-in">{t('sign_in')}</a>
  </p>
)

/** The administrator's account of a new installation. */
export function FirstAccount(): JSX.Element {
  return (
    <Door title={t('set_up')} lead={t('account_note')}>
      <Unencrypted />
      <Show when={signInOptions()?.local_auth}>
        <AccountForm next="/set-up" action={t('create')} confirms />
      </Show>
      <Show when={signInOptions()?.sso.enabled}>
        <SingleSignOn alone={!signInOptions()?.local_auth} />
      </Show>
    </Door>
  )
}

/** The first account by single sign-on; from another machine it needs the code too. */
function SingleSignOn(props: { readonly alone: boolean }): JSX.Element {
  const [code, setCode] = createSignal(codeOfAddress())
  const address = (): string => {
    const query = new URLSearchParams({ return_to: '/set-up', ...(code() !== '' && { setup_code: code().trim() }) })
    return `/api/auth/sso/login?${query.toString()}`
  }
  return (
    <div class="l door-foot">
      <Show when={props.alone} fallback={<div class="or">{t('or')}</div>}>
        <TextField label={t('setup_code')} mono value={code()} onInput={setCode} help={t('setup_code_elsewhere')} />
      </Show>
      <a class="btn l wide" classList={{ main: props.alone }} href={address()}>
        {t('sso')}
      </a>
    </div>
  )
}

/** The code can be in the address that the service printed: `/?setup_code=…`. */
const codeOfAddress = (): string => new URLSearchParams(location.search).get('setup_code') ?? ''

/** Where the service refuses it, the set-up asks again: the account is there all the same. */
async function confirmNow(password: string): Promise<void> {
  try {
    await api.post('/api/auth/confirm', { body: { password } })
  } catch (error) {
    if (!isProblem(error)) throw error
  }
}

function AccountForm(props: {
  readonly next: string
  /** The password that was just chosen confirms the session too: what follows asks for that. */
  readonly confirms?: boolean
  readonly action: string
  readonly invitation?: string
  /** The person has to wait for an admin: nobody is signed in. */
  readonly onWaiting?: () => void
}): JSX.Element {
  const [username, setUsername] = createSignal('')
  const [password, setPassword] = createSignal('')
  const [code, setCode] = createSignal(codeOfAddress())
  const [codeNeeded, setCodeNeeded] = createSignal(codeOfAddress() !== '')
  const [error, setError] = createSignal<unknown>()
  const [busy, setBusy] = createSignal(false)

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy()) return
    setBusy(true)
    setError(undefined)
    try {
      const body = {
        username: username().trim(),
        password: password(),
        language: language(),
        ...(code() !== '' && { setup_code: code().trim() }),
        ...(props.invitation !== undefined && { invitation: props.invitation }),
      }
      const answer = await api.post('/api/auth/register', { body })
      if ('status' in answer) return props.onWaiting?.()
      if (props.confirms) await confirmNow(password())
      await sessionBegan()
      void navigate(props.next, { replace: true })
    } catch (cause) {
      if (isProblem(cause, 'setup_code_required') && !codeNeeded()) setCodeNeeded(true)
      else setError(cause)
    } finally {
      setBusy(false)
    }
  }
  const fieldError = (path: string, ...codes: readonly string[]): string | undefined => {
    const problem = error()
    if (!isProblem(problem)) return undefined
    return problem.messageFor(path) ?? (codes.includes(problem.code) ? problem.message : undefined)
  }
  const nameError = () => fieldError('/username', 'username_taken')
  const passwordError = () => fieldError('/password', 'password_too_common', 'password_contains_name')
  const codeError = () => (isProblem(error(), 'setup_code_required') ? t('setup_code_wrong') : undefined)
  const elsewhere = () => ((nameError() ?? passwordError() ?? codeError()) ? undefined : error())
  return (
    <form class="l" onSubmit={(event) => void submit(event)}>
      <Problem error={elsewhere()} />
      <TextField
        label={t('username')}
        name="username"
        autocomplete="username"
        autofocus
        required
        value={username()}
        onInput={setUsername}
        help={t('username_help')}
        error={nameError()}
      />
      <PasswordField
        label={t('password')}
        name="password"
        autocomplete="new-password"
        value={password()}
        onInput={setPassword}
        help={t('password_help')}
        error={passwordError()}
      />
      <Show when={codeNeeded()}>
        <TextField
          label={t('setup_code')}
          name="setup_code"
          mono
          value={code()}
          onInput={setCode}
          help={t('setup_code_help')}
          error={codeError()}
        />
      </Show>
      <Button kind="main" size="large" wide type="submit" busy={busy()}>
        {busy() ? t('creating') : props.action}
      </Button>
    </form>
  )
}
