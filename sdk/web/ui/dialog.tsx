import { createSignal, createUniqueId, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { Portal, render } from 'solid-js/web'
import { hasInputMethodKey } from '../core/input-method.js'
import { Button, IconButton } from './button.js'
import { t } from './texts.js'

interface DialogProps {
  /** A question, or what is done here. */
  readonly title: string
  readonly onClose: () => void
  readonly children: JSX.Element
  readonly wide?: boolean
  /** Without a way out but the buttons. */
  readonly modalOnly?: boolean
}

/**
 * Opens as long as it is shown. The focus goes in (to the element with `autofocus`, else to the first), stays in, and returns to
 * where it came from; Escape and a click beside it call `onClose`, unless it is `modalOnly`. Buttons stand in a `<footer>`.
 *
 * @example
 * export function Renaming(props: { readonly roll: Roll; readonly onClose: () => void }): JSX.Element {
 *   const [name, setName] = createSignal(props.roll.name)
 *   return (
 *     <Dialog title={t('rename', { name: props.roll.name })} onClose={props.onClose}>
 *       <TextField label={t('name')} value={name()} onInput={setName} autofocus />
 *       <footer>
 *         <Button kind="quiet" onClick={props.onClose}>
 *           {commonText('cancel')}
 *         </Button>
 *         <Button kind="main" onClick={() => void save(name())}>
 *           {t('save')}
 *         </Button>
 *       </footer>
 *     </Dialog>
 *   )
 * }
 */
export function Dialog(props: DialogProps): JSX.Element {
  const id = createUniqueId()
  return (
    <Modal class={props.wide ? 'dialog wide' : 'dialog'} labelledBy={id} onClose={props.onClose} fixed={props.modalOnly ?? false}>
      <h2 id={id} class="h3 dialog-title">
        {props.title}
      </h2>
      {props.children}
    </Modal>
  )
}

/**
 * Shows a dialog over whatever screen is shown, until it calls `close`. For what has no place in a component, such as an action of
 * `start`.
 *
 * @example
 * openDialog((close) => (
 *   <Dialog title={t('rolled')} onClose={close}>
 *     <p>{t('rolls', { count: 3 })}</p>
 *   </Dialog>
 * ))
 */
export function openDialog(dialog: (close: () => void) => JSX.Element): void {
  const root = document.body.appendChild(document.createElement('div'))
  const close = (): void => {
    dispose()
    root.remove()
  }
  const dispose = render(() => dialog(close), root)
}

/** A panel from the end edge; on phones from below. */
export function Sheet(props: {
  readonly title: string
  readonly onClose: () => void
  readonly footer?: JSX.Element
  readonly wide?: boolean
  readonly children: JSX.Element
}): JSX.Element {
  const id = createUniqueId()
  return (
    <Modal class={props.wide ? 'sheet wide' : 'sheet'} labelledBy={id} onClose={props.onClose} fixed={false}>
      <header>
        <h2 id={id}>{props.title}</h2>
        <IconButton icon="x" name={t('close')} size="small" onClick={() => props.onClose()} />
      </header>
      <section class="scroll" tabindex="0" aria-labelledby={id}>
        {props.children}
      </section>
      <Show when={props.footer}>
        <footer>{props.footer}</footer>
      </Show>
    </Modal>
  )
}

/** The frame of everything modal. */
export function Modal(props: {
  readonly class: string
  readonly labelledBy?: string
  readonly label?: string
  readonly fixed: boolean
  readonly onClose: () => void
  readonly children: JSX.Element
}): JSX.Element {
  let element: HTMLDialogElement | undefined
  const before = document.activeElement
  onMount(() => {
    element?.showModal()
    element?.querySelector<HTMLElement>('[autofocus]')?.focus()
  })
  onCleanup(() => {
    element?.close()
    if (before instanceof HTMLElement && before.isConnected) before.focus()
  })
  return (
    <Portal>
      <dialog
        ref={(made) => {
          element = made
        }}
        class={props.class}
        aria-labelledby={props.labelledBy}
        aria-label={props.label}
        onCancel={(event) => {
          event.preventDefault()
          if (!props.fixed && !hasInputMethodKey()) props.onClose()
        }}
        onPointerDown={(event) => {
          if (event.target === element && !props.fixed && isOutside(element, event)) props.onClose()
        }}
      >
        {props.children}
      </dialog>
    </Portal>
  )
}

function isOutside(element: HTMLElement, { clientX, clientY }: PointerEvent): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

interface Confirmation {
  readonly title: string
  readonly text: string
  /** Verb with object: `Delete Ops`. */
  readonly action: string
  /** The quiet way out: `Keep it`. */
  readonly keep?: string
  readonly danger?: boolean
}

const [asked, setAsked] = createSignal<Confirmation & { readonly answer: (yes: boolean) => void }>()

/**
 * Asks in a dialog; false if the person does not want to, or closes it. Only for what cannot be undone; otherwise do it and offer
 * Undo in a toast.
 *
 * @example
 * const question = { title: t('delete_question'), text: t('delete_text'), action: t('delete_all'), danger: true }
 * if (await confirmAction(question)) await api.delete('/api/plugins/tool-dice/rolls')
 */
export function confirmAction(confirmation: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    setAsked({
      ...confirmation,
      answer: (yes) => {
        setAsked(undefined)
        resolve(yes)
      },
    })
  })
}

/** Gives up on a question that nobody has answered, without an answer: between tests of components. */
export const dropConfirmation = (): void => void setAsked(undefined)

/** Where {@link confirmAction} appears. */
export function Confirmations(): JSX.Element {
  return (
    <Show when={asked()} keyed>
      {(question) => (
        <Dialog title={question.title} onClose={() => question.answer(false)}>
          <p>{question.text}</p>
          <footer>
            <Button kind="quiet" autofocus onClick={() => question.answer(false)}>
              {question.keep ?? t('cancel')}
            </Button>
            <Button kind={question.danger === false ? 'main' : 'confirm'} onClick={() => question.answer(true)}>
              {question.action}
            </Button>
          </footer>
        </Dialog>
      )}
    </Show>
  )
}
