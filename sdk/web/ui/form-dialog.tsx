import { type JSX, Show } from 'solid-js'
import type { Form } from '../forms/create-form.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { FormView } from './form-view.js'
import { t as ui } from './texts.js'

/**
 * A form in a dialog. Only its buttons close it, so that nothing typed is lost, unless it is `dismissible`. It does not close by
 * itself: `submit` of the form does that when all went well.
 *
 * @example
 * export function Adding(props: { readonly onClose: () => void }): JSX.Element {
 *   const form = createForm({
 *     initial: { name: '' },
 *     submit: async (body) => {
 *       await api.post('/api/plugins/tool-dice/rolls', { body })
 *       props.onClose()
 *     },
 *   })
 *   return (
 *     <FormDialog form={form} title={t('new')} action={t('add')} onClose={props.onClose}>
 *       <TextField label={t('name')} {...form.field('name')} />
 *     </FormDialog>
 *   )
 * }
 */
export function FormDialog(props: {
  readonly form: Pick<Form<object>, 'submit' | 'failure' | 'error' | 'busy'>
  readonly title: string
  /** The words of its main button. */
  readonly action: string
  /** What it does cannot be undone: the main button is red. */
  readonly danger?: boolean
  /** There is nothing to send yet. */
  readonly disabled?: boolean
  readonly wide?: boolean
  /** Escape and a click beside it close it too: little is typed. */
  readonly dismissible?: boolean
  readonly onClose: () => void
  /** At the start of the line of buttons. */
  readonly aside?: JSX.Element
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <Dialog title={props.title} modalOnly={!props.dismissible} {...(props.wide && { wide: true })} onClose={props.onClose}>
      <FormView
        class="body"
        form={props.form}
        buttons={
          <footer>
            <Show when={props.aside}>
              <span class="dialog-aside">{props.aside}</span>
            </Show>
            <Button kind="quiet" onClick={() => props.onClose()}>
              {ui('cancel')}
            </Button>
            <Button kind={props.danger ? 'confirm' : 'main'} type="submit" busy={props.form.busy()} disabled={props.disabled}>
              {props.action}
            </Button>
          </footer>
        }
      >
        {props.children}
      </FormView>
    </Dialog>
  )
}
