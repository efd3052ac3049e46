import { createSignal, type JSX, Show } from 'solid-js'
import type { Form } from '../forms/create-form.js'
import { focusProblem } from '../forms/focus-problem.js'
import { Failure } from './states.js'

/**
 * The element of a {@link Form}: Enter and its submit button send it, the first field with a problem gets the focus, and what no
 * field shows is said above its buttons.
 *
 * @example
 * <FormView form={form} buttons={<Button kind="main" type="submit" busy={form.busy()}>{t('save')}</Button>}>
 *   <TextField label={t('name')} {...form.field('name')} />
 * </FormView>
 */
export function FormView(props: {
  readonly form: Pick<Form<object>, 'submit' | 'failure' | 'error'>
  readonly class?: string
  /** What it is, for assistive technology, where no heading says it. */
  readonly label?: string
  readonly buttons: JSX.Element
  readonly children: JSX.Element
}): JSX.Element {
  /** The problem is of a field that is not on the screen, such as one of another tab. */
  const [isHidden, setHidden] = createSignal(false)
  const submit = async (element: HTMLFormElement): Promise<void> => {
    setHidden(false)
    if (!(await props.form.submit())) setHidden(!(await focusProblem(element)))
  }
  const failure = (): unknown => props.form.failure() ?? (isHidden() ? props.form.error() : undefined)
  return (
    <form
      class={props.class}
      aria-label={props.label}
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      {props.children}
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      {props.buttons}
    </form>
  )
}
