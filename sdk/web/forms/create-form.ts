import { batch, createMemo, createSignal, untrack } from 'solid-js'
import { type FieldProblems, fieldProblemsOf } from '../api/field-problems.js'
import { isProblem } from '../api/problem.js'
import { withSameParts } from '../query/same-parts.js'
import { createAction } from './create-action.js'
import { createFieldPlaces } from './field-places.js'

/** What is typed into a form, by the names of its fields. */
export type FormValues = object

/** What a field component takes: `<TextField label={…} {...form.field('name')} />`. */
export interface BoundField<Value> {
  /** What is typed. */
  readonly value: Value
  /** Takes what is typed. */
  readonly onInput: (value: Value) => void
  /** What is wrong with it. */
  readonly error: string | undefined
}

/** A form: what is typed, what is wrong with it, and how sending it goes. */
export interface Form<Values extends FormValues> {
  /** What is typed; components follow it. */
  readonly values: () => Values
  /** Changes one value. */
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void
  /** Changes several values at once. */
  fill(values: Partial<Values>): void
  /**
   * Binds a field. `path` leads to it in the body of the request, as a JSON pointer; if left out, it is `/<name>`. It also says what is
   * wrong with parts of its value that have no place of their own: `/tools/0` at `/tools`.
   */
  field<Name extends keyof Values & string>(name: Name, path?: string): BoundField<Values[Name]>
  /** What is wrong with a part of the body, for a place that shows it otherwise than {@link field}, such as an item of a list. */
  problem(path: string): string | undefined
  /** All problems of fields, by their JSON pointers. */
  readonly problems: () => FieldProblems
  /** Why it failed, unless fields show all of it. */
  readonly failure: () => unknown
  /** Why it failed, in any case. */
  readonly error: () => unknown
  /** Whether it is being sent. */
  readonly busy: () => boolean
  /** Whether something else is typed than at the beginning, or than what was sent last. */
  readonly isDirty: () => boolean
  /** Begins anew with these values, or with those of the beginning. */
  reset(values?: Values): void
  /** Checks and sends it; nothing happens while it is being sent. True: all went well. Never rejects: {@link failure} has the reason. */
  submit(): Promise<boolean>
}

/** How a form begins and what it does. */
export interface FormOptions<Values extends FormValues> {
  /** What its fields have at first. */
  readonly initial: Values
  /** What is wrong before anything is sent, by JSON pointer; empty: nothing. */
  readonly check?: (values: Values) => FieldProblems
  /**
   * Sends it. What it throws is shown: problems of fields by these, others by {@link Form.failure}. False: the person gave up, such as a
   * question of {@link whenConfirmed}, so nothing was sent.
   */
  readonly submit: (values: Values) => Promise<unknown>
  /** Codes of problems that are about one field, and its JSON pointer: `{ name_taken: '/name' }`. */
  readonly codes?: Readonly<Record<string, string>>
}

/**
 * Makes a form. {@link FormDialog} and {@link FormView} show it: they send it, and lead to the first field with a problem.
 *
 * @example
 * export function Adding(props: { readonly onClose: () => void }): JSX.Element {
 *   const form = createForm({
 *     initial: { name: '', sides: 6 },
 *     codes: { name_taken: '/name' },
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
export function createForm<Values extends FormValues>(options: FormOptions<Values>): Form<Values> {
  const [values, setValues] = createSignal<Values>(options.initial)
  const [initial, setInitial] = createSignal<Values>(options.initial)
  const places = createFieldPlaces()
  let beginnings = 0
  const sending = createAction(async () => {
    const sent = values()
    const begun = beginnings
    if ((await options.submit(sent)) === false) return false
    // Unless it has begun anew with what the service made of it.
    if (begun === beginnings) setInitial(() => sent)
    return true
  })
  const fill = (next: Partial<Values>): void => void setValues((before) => ({ ...before, ...next }))
  const set: Form<Values>['set'] = (name, value) => void setValues((before) => ({ ...before, [name]: value }))
  return {
    values,
    set,
    fill,
    problem: places.at,
    problems: places.problems,
    failure: () => (places.areAllShown() ? undefined : sending.failure()),
    error: sending.failure,
    busy: sending.busy,
    isDirty: createMemo(() => withSameParts(initial(), values()) !== initial()),
    field: (name, path = `/${name}`) => ({
      get value() {
        return values()[name]
      },
      get error() {
        return places.at(path)
      },
      onInput: (value) => set(name, value),
    }),
    reset: (next) =>
      batch(() => {
        const begin = next ?? untrack(initial)
        beginnings += 1
        setInitial(() => begin)
        setValues(() => begin)
        places.take({})
        sending.clear()
      }),
    async submit() {
      if (sending.busy()) return false
      const found = options.check?.(values()) ?? {}
      places.take(found)
      if (Object.keys(found).length > 0) {
        sending.clear()
        return false
      }
      const isDone = await sending.run()
      if (!isDone) places.take(problemsOf(sending.failure(), options.codes ?? {}))
      return isDone
    },
  }
}

/** The problems of single fields, also of a code that is about one field alone. */
function problemsOf(error: unknown, codes: Readonly<Record<string, string>>): FieldProblems {
  const found = fieldProblemsOf(error)
  const path = isProblem(error) && Object.hasOwn(codes, error.code) ? codes[error.code] : undefined
  return path === undefined || !isProblem(error) ? found : { [path]: error.message, ...found }
}
