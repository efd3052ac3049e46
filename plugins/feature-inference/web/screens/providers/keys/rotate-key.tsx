import {
  Button,
  commonText as common,
  createAction,
  Dialog,
  Failure,
  PasswordField,
  showToast,
  whenConfirmed,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../../api/index.js'
import type { Credential } from '../../../providers/draft.js'
import { createLiveTest, LiveTestResult } from '../../../providers/live-test.js'
import { t } from '../../../providers/texts.js'

/** Replaces a saved key, which applies to the next call. The new one is tested first. */
export function RotateKey(props: {
  readonly handle: string
  /** Whether the connection runs, so that the key can be tested through it. */
  readonly isRunning: boolean
  readonly credential: Credential
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const [key, setKey] = createSignal('')
  const [problem, setProblem] = createSignal<string>()
  const test = createLiveTest()
  const saving = createAction(async (typed: string, anyway: boolean) => {
    if (!anyway && props.isRunning && !(await test.run({ handle: props.handle, api_key: typed }))) return
    const path = { credential_id: props.credential.id }
    const replace = () => api.patch('/api/admin/credentials/{credential_id}', { path, body: { api_key: typed } })
    if (!(await whenConfirmed(t('confirm_reason'), replace))) return
    showToast(t('rotated', { handle: props.handle }))
    props.onDone()
  })
  const save = (anyway: boolean): void => {
    const typed = key().trim()
    setProblem(typed === '' ? common('required') : /[^\x21-\x7e]/.test(typed) ? t('key_wrong') : undefined)
    if (problem() === undefined) void saving.run(typed, anyway)
  }
  return (
    <Dialog title={t('rotate_title', { handle: props.handle })} onClose={props.onClose}>
      <form
        novalidate
        onSubmit={(event) => {
          event.preventDefault()
          save(false)
        }}
      >
        <p class="say">
          {t('rotate_text', { count: props.credential.connections.length, connections: props.credential.connections.join(', ') })}
        </p>
        <PasswordField
          label={t('new_key')}
          autocomplete="off"
          autofocus
          value={key()}
          error={problem()}
          onInput={(next) => {
            setKey(next)
            setProblem(undefined)
            test.forget()
          }}
        />
        <LiveTestResult test={test} />
        <Show when={saving.failure()}>{(error) => <Failure error={error()} />}</Show>
        <footer>
          <Button kind="quiet" onClick={() => props.onClose()}>
            {common('cancel')}
          </Button>
          <Show when={test.result()?.ok === false || test.error() !== undefined}>
            <Button onClick={() => save(true)}>{t('save_anyway')}</Button>
          </Show>
          <Button kind="main" type="submit" busy={saving.busy()}>
            {test.isRunning() ? t('testing') : t('rotate')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
