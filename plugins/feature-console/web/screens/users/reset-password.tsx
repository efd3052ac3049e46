import { Button, commonText as common, createAction, Dialog, Failure, whenConfirmed } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { NewPassword, randomPassword } from './new-password.js'
import { t } from './texts.js'
import type { User } from './user.js'

/** Gives an account a new password, which is shown once. */
export function ResetPassword(props: {
  readonly user: User
  readonly onClose: () => void
  readonly onDone: (user: User) => void
}): JSX.Element {
  const [password, setPassword] = createSignal(randomPassword())
  const [isDone, setDone] = createSignal(false)
  const name = (): string => props.user.name ?? props.user.username
  const reset = createAction(() =>
    whenConfirmed(t('confirm_password'), async () => {
      const user = await api.patch('/api/admin/users/{user_id}', { path: { user_id: props.user.id }, body: { password: password() } })
      setDone(true)
      props.onDone(user)
    }),
  )
  return (
    <Dialog title={isDone() ? t('password_done') : t('reset_question', { name: name() })} modalOnly={isDone()} onClose={props.onClose}>
      <p>{isDone() ? t('password_done_text', { name: name() }) : t('reset_text')}</p>
      <Show when={isDone()} fallback={<NewPassword password={password()} onAnother={() => setPassword(randomPassword())} />}>
        <NewPassword password={password()} />
      </Show>
      <Show when={reset.failure()}>{(error) => <Failure error={error()} />}</Show>
      <footer>
        <Show
          when={isDone()}
          fallback={
            <>
              <Button kind="quiet" onClick={() => props.onClose()}>
                {common('cancel')}
              </Button>
              <Button kind="main" busy={reset.busy()} onClick={() => void reset.run()}>
                {t(props.user.has_password ? 'reset_password' : 'set_password')}
              </Button>
            </>
          }
        >
          <Button kind="main" onClick={() => props.onClose()}>
            {t('done')}
          </Button>
        </Show>
      </footer>
    </Dialog>
  )
}
