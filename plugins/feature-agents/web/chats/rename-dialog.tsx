import { Button, Dialog, Failure } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from './texts.js'

/** Asks for another title. What was typed stays when saving fails. */
export function RenameDialog(props: {
  readonly title: string
  readonly onSave: (title: string) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const [title, setTitle] = createSignal(props.title)
  const [error, setError] = createSignal<unknown>()
  const [busy, setBusy] = createSignal(false)
  const save = async (): Promise<void> => {
    if (busy() || title().trim() === '') return
    setBusy(true)
    setError(undefined)
    try {
      await props.onSave(title().trim())
      props.onClose()
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('rename_title')} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <label class="field">
          <span class="lbl">{t('title')}</span>
          <span class="in">
            <input
              type="text"
              maxlength={200}
              autofocus
              ref={(element) => queueMicrotask(() => element.select())}
              value={title()}
              onInput={(event) => setTitle(event.currentTarget.value)}
            />
          </span>
        </label>
        <Show when={error()}>{(cause) => <Failure error={cause()} />}</Show>
        <footer>
          <Button kind="quiet" onClick={() => props.onClose()}>
            {t('cancel')}
          </Button>
          <Button kind="main" type="submit" busy={busy()} disabled={title().trim() === ''}>
            {t('save')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
