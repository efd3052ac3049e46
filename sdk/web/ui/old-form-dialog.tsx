import { createSignal, type JSX, Show } from 'solid-js'
import { type FieldProblems, fieldProblemsOf } from '../api/field-problems.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { Failure } from './states.js'
import { t as ui } from './texts.js'

/**
 * A form in a dialog that only its buttons close, so that nothing typed is lost. While `onSubmit` runs, the main button is busy. What
 * it throws is shown: problems of single fields by `children`, which gets them by their JSON pointers, others above the buttons. The
 * first field with a problem gets the focus. It does not close by itself: `onSubmit` does that when all went well.
 *
 * @example
 * export function Adding(props: { readonly onClose: () => void }): JSX.Element {
 *   const [name, setName] = createSignal('')
 *   const add = async (): Promise<void> => {
 *     await api.post('/api/plugins/tool-dice/rolls', { body: { name: name() } })
 *     props.onClose()
 *   }
 *   return (
 *     <OldFormDialog title={t('new')} action={t('add')} onSubmit={add} onClose={props.onClose}>
 *       {(problems) => <TextField label={t('name')} value={name()} onInput={setName} error={problems()['/name']} />}
 *     </OldFormDialog>
 *   )
 * }
 */
export function OldFormDialog(props: {
  readonly title: string
  readonly action: string
  readonly wide?: boolean
  /** What is wrong before anything is sent; empty: nothing. */
  readonly check?: () => FieldProblems
  readonly onSubmit: () => Promise<void>
  readonly onClose: () => void
  /** At the start of the line of buttons. */
  readonly aside?: JSX.Element
  readonly children: (problems: () => FieldProblems) => JSX.Element
}): JSX.Element {
  const [problems, setProblems] = createSignal<FieldProblems>({})
  const [failure, setFailure] = createSignal<unknown>()
  const [busy, setBusy] = createSignal(false)
  const submit = async (form: HTMLFormElement): Promise<void> => {
    if (busy()) return
    const found = props.check?.() ?? {}
    setProblems(found)
    setFailure(undefined)
    if (Object.keys(found).length > 0) {
      await focusFirst(form)
      return
    }
    setBusy(true)
    try {
      await props.onSubmit()
    } catch (error) {
      setProblems(fieldProblemsOf(error))
      // Not every member of the body has a field: what is shown at none is said above the buttons.
      if (!(await focusFirst(form))) setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={props.title} modalOnly {...(props.wide && { wide: true })} onClose={props.onClose}>
      <form
        class="body"
        novalidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        {props.children(problems)}
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <footer>
          <Show when={props.aside}>
            <span class="dialog-aside">{props.aside}</span>
          </Show>
          <Button kind="quiet" onClick={() => props.onClose()}>
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

/** Goes to the first field with a problem, once problems are shown; false: there is none. */
async function focusFirst(form: HTMLFormElement): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve))
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.focus()
  return field !== null
}
