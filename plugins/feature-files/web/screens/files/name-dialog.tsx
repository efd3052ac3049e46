import { Button, Dialog, errorText, isProblem, TextField, commonText as ui } from '@agent-service/sdk/web'
import { createSignal, type JSX } from 'solid-js'
import { isName } from './paths.js'
import { t } from './texts.js'

/** Asks for the name of a folder or a file. What was typed stays when the service refuses it. */
export function NameDialog(props: {
  readonly title: string
  readonly action: string
  readonly name: string
  readonly onClose: () => void
  readonly onSubmit: (name: string) => Promise<void>
}): JSX.Element {
  const [name, setName] = createSignal(props.name)
  const [problem, setProblem] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const chosen = name().trim()
    if (!isName(chosen)) return void setProblem(t('name_wrong'))
    if (chosen === props.name) return props.onClose()
    setBusy(true)
    try {
      await props.onSubmit(chosen)
      props.onClose()
    } catch (error) {
      setProblem(isProblem(error, 'file_conflict') ? t('name_taken') : errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form class="body" novalidate onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('name')}
          autofocus
          maxLength={255}
          value={name()}
          error={problem()}
          onInput={(next) => {
            setName(next)
            setProblem(undefined)
          }}
        />
        <footer>
          <Button kind="quiet" onClick={props.onClose}>
            {ui('cancel')}
          </Button>
          <Button kind="main" type="submit" busy={busy()}>
            {props.action}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
