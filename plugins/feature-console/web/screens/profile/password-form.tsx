import {
  Button,
  commonText as common,
  currentProfile,
  Failure,
  isProblem,
  PasswordField,
  showToast,
  signInOptions,
} from '@agent-service/sdk/web'
import { HiddenUsername } from '@agent-service/sdk/web/host'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { t } from './texts.js'

const ofNewPassword: ReadonlySet<string> = new Set(['password_too_common', 'password_contains_name'])

/** A new password; every other session of the account ends. */
export function PasswordForm(): JSX.Element {
  const [current, setCurrent] = createSignal('')
  const [next, setNext] = createSignal('')
  const [busy, setBusy] = createSignal(false)
  const [tried, setTried] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const change = async (): Promise<void> => {
    setTried(true)
    if (busy() || current() === '' || next() === '') return
    setBusy(true)
    setFailure(undefined)
    try {
      await api.put('/api/auth/password', { body: { current_password: current(), new_password: next() } })
      setCurrent('')
      setNext('')
      setTried(false)
      showToast(t('password_changed'))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const currentError = (): string | undefined => {
    const error = failure()
    if (isProblem(error) && error.messageFor('/current_password') !== undefined) return t('wrong_password')
    return tried() && current() === '' ? common('required') : undefined
  }
  const nextError = (): string | undefined => {
    const error = failure()
    if (isProblem(error)) return error.messageFor('/new_password') ?? (ofNewPassword.has(error.code) ? error.message : undefined)
    return tried() && next() === '' ? common('required') : undefined
  }
  return (
    <Show when={signInOptions()?.local_auth}>
      <section class="profile-part">
        <h2 class="h3 profile-head">{t('password')}</h2>
        <form
          novalidate
          onSubmit={(event) => {
            event.preventDefault()
            void change()
          }}
        >
          <HiddenUsername username={currentProfile()?.username} />
          <PasswordField
            label={t('current_password')}
            name="current"
            autocomplete="current-password"
            value={current()}
            onInput={setCurrent}
            error={currentError()}
          />
          <PasswordField
            label={t('new_password')}
            name="new"
            autocomplete="new-password"
            value={next()}
            onInput={setNext}
            help={t('new_password_help')}
            error={nextError()}
          />
          <Show when={failure() !== undefined && currentError() === undefined && nextError() === undefined}>
            <Failure error={failure()} />
          </Show>
          <Button type="submit" busy={busy()}>
            {t('change_password')}
          </Button>
        </form>
      </section>
    </Show>
  )
}
