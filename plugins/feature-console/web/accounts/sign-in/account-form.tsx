import { Button, createAction, isProblem, language, navigate, PasswordField, TextField } from '@agent-service/sdk/web'
import { sessionBegan } from '@agent-service/sdk/web/host'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { Problem } from './problem.js'
import { codeOfAddress } from './setup-code.js'
import { t } from './texts.js'

/** The form of a new account: its name and its password, and the set-up code where the service asks for it. */
export function AccountForm(props: {
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
  const making = createAction(async () => {
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
    await sessionBegan(props.next)
    void navigate(props.next, { replace: true })
  })
  const make = async (): Promise<void> => {
    await making.run()
    if (codeNeeded() || !isProblem(making.failure(), 'setup_code_required')) return
    making.clear()
    setCodeNeeded(true)
  }
  const fieldError = (path: string, ...codes: readonly string[]): string | undefined => {
    const problem = making.failure()
    if (!isProblem(problem)) return undefined
    return problem.messageFor(path) ?? (codes.includes(problem.code) ? problem.message : undefined)
  }
  const nameError = () => fieldError('/username', 'username_taken')
  const passwordError = () => fieldError('/password', 'password_too_common', 'password_contains_name')
  const codeError = () => (isProblem(making.failure(), 'setup_code_required') ? t('setup_code_wrong') : undefined)
  const elsewhere = () => ((nameError() ?? passwordError() ?? codeError()) ? undefined : making.failure())
  return (
    <form
      class="l"
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
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
      <Button kind="main" size="large" wide type="submit" busy={making.busy()}>
        {making.busy() ? t('creating') : props.action}
      </Button>
    </form>
  )
}

/** Where the service refuses it, the set-up asks again: the account is there all the same. */
async function confirmNow(password: string): Promise<void> {
  try {
    await api.post('/api/auth/confirm', { body: { password } })
  } catch (error) {
    if (!isProblem(error)) throw error
  }
}
