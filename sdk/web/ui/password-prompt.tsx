import { createSignal, type JSX } from 'solid-js'
import { createAction } from '../forms/create-action.js'
import { Button } from './button.js'
import { PasswordField } from './field.js'
import { errorText } from './states.js'
import { t } from './texts.js'

/** Tells password managers whose password a form asks for; nobody sees it. */
export function HiddenUsername(props: { readonly username: string | undefined }): JSX.Element {
  return (
    <input
      class="sr"
      type="text"
      name="username"
      autocomplete="username"
      value={props.username ?? ''}
      readOnly
      tabindex="-1"
      aria-label={t('username')}
    />
  )
}

/** A form that asks for the password of an account and shows under it why it was refused. */
export function PasswordPrompt(props: {
  readonly username: string | undefined
  readonly submit: string
  readonly cancel: string
  readonly onSubmit: (password: string) => Promise<void>
  readonly onCancel: () => void
}): JSX.Element {
  const [password, setPassword] = createSignal('')
  const submit = createAction(() => props.onSubmit(password()))
  return (
    <form
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit.run()
      }}
    >
      <HiddenUsername username={props.username} />
      <PasswordField
        label={t('password')}
        name="password"
        autocomplete="current-password"
        autofocus
        value={password()}
        onInput={setPassword}
        error={submit.failure() === undefined ? undefined : errorText(submit.failure())}
      />
      <footer>
        <Button kind="quiet" onClick={() => props.onCancel()}>
          {props.cancel}
        </Button>
        <Button kind="main" type="submit" busy={submit.busy()}>
          {props.submit}
        </Button>
      </footer>
    </form>
  )
}
