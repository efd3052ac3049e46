import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { createStore, produce, unwrap } from 'solid-js/store'
import { isProblem } from '../api/problem.js'
import { createAction } from '../forms/create-action.js'
import { focusProblem } from '../forms/focus-problem.js'
import { Button } from './button.js'
import { Checkbox, type Labelled, PasswordField, SelectField, TextArea, TextField } from './field.js'
import { choicesOf, controlOf, type FormSchema, labelOf, mayBeNull, problemOf, withoutNull } from './json-schema.js'
import { BannerBar } from './notices.js'
import { errorText } from './states.js'
import { t } from './texts.js'

/** The members of the object that a form edits, by name. */
export type FormValue = Readonly<Record<string, unknown>>

interface FormProps {
  /** Of an object. Its properties appear in their order. */
  readonly schema: FormSchema
  readonly value: FormValue
  /** The verb of the main button: `Save`, `Add provider`. */
  readonly action: string
  /**
   * Called with a value that fits the schema. A problem that it throws is shown at its fields, by
   * the pointers of its `errors`, or above the form.
   */
  readonly onSubmit: (value: FormValue) => Promise<void>
  readonly onCancel?: () => void
  /** Where the value is in the body of the request, for the pointers of problems. Default: the root. */
  readonly pointer?: string
  /** What is entered beside the schema: below its fields, above the buttons. */
  readonly children?: JSX.Element
}

/**
 * A form made from a JSON schema. What it cannot show is edited as JSON. Nothing typed is lost on an error. The value is taken when the
 * form appears; a later one does not change what the person edits.
 *
 * @example
 * <SchemaForm
 *   schema={{ type: 'object', required: ['sides'], properties: { sides: { type: 'integer', title: t('sides'), minimum: 2 } } }}
 *   value={{ sides: 6 }}
 *   action={t('save')}
 *   onSubmit={(value) => save(value['sides'])}
 * />
 */
export function SchemaForm(props: FormProps): JSX.Element {
  const [value, setValue] = createStore<Record<string, unknown>>(structuredClone({ ...props.value }))
  const [problems, setProblems] = createSignal<Readonly<Record<string, string>>>({})
  const sending = createAction(() => props.onSubmit(structuredClone(unwrap(value))))
  const hasProblem = (): boolean => Object.keys(problems()).length > 0
  const change = (path: readonly string[], next: unknown): void => {
    setValue(produce((draft) => place(draft, path, next)))
    setProblems(({ [pointerOf(path)]: _, ...rest }) => rest)
  }
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (sending.busy()) return
    const form = event.currentTarget as HTMLFormElement
    sending.clear()
    setProblems(collect(props.schema, value, []))
    if (!hasProblem() && !(await sending.run())) setProblems(byPointer(sending.failure(), props.pointer ?? ''))
    if (!hasProblem()) return
    // What the fields show is not said above them too.
    sending.clear()
    await focusProblem(form)
  }
  return (
    <form class="form" novalidate onSubmit={(event) => void submit(event)}>
      <Show when={sending.failure()}>{(error) => <BannerBar banner={{ id: 'form', tone: 'danger', text: errorText(error()) }} />}</Show>
      <Properties schema={props.schema} value={value} path={[]} problems={problems()} onChange={change} />
      {props.children}
      <div class="form-foot">
        <Button kind="main" type="submit" busy={sending.busy()}>
          {props.action}
        </Button>
        <Show when={props.onCancel}>
          {(cancel) => (
            <Button kind="quiet" onClick={() => cancel()()}>
              {t('cancel')}
            </Button>
          )}
        </Show>
      </div>
    </form>
  )
}

interface PartProps {
  readonly schema: FormSchema
  readonly path: readonly string[]
  readonly problems: Readonly<Record<string, string>>
  readonly onChange: (path: readonly string[], value: unknown) => void
}

function Properties(props: PartProps & { readonly value: FormValue }): JSX.Element {
  return (
    <For each={Object.entries(props.schema.properties ?? {})}>
      {([name, schema]) => (
        <SchemaField
          name={name}
          schema={schema}
          required={props.schema.required?.includes(name) ?? false}
          value={props.value[name]}
          path={[...props.path, name]}
          problems={props.problems}
          onChange={props.onChange}
        />
      )}
    </For>
  )
}

/** The field of one property. */
function SchemaField(props: PartProps & { readonly name: string; readonly value: unknown; readonly required: boolean }): JSX.Element {
  const plain = withoutNull(props.schema)
  const control = controlOf(props.schema)
  const label = labelOf(props.name, plain)
  const optional = !props.required && control !== 'boolean'
  const set = (next: unknown): void => props.onChange(props.path, next)
  const common = {
    get error() {
      return props.problems[pointerOf(props.path)]
    },
    label,
    ...(plain.description !== undefined && { help: plain.description }),
    ...(optional && { aside: <span class="t3">{t('optional')}</span> }),
  }
  const text = (): string => (props.value === undefined || props.value === null ? '' : String(props.value))
  const empty = (): unknown => (mayBeNull(props.schema) ? null : undefined)
  const lines = (): string => (Array.isArray(props.value) ? props.value.join('\n') : '')
  return (
    <Switch>
      <Match when={control === 'group'}>
        <fieldset>
          <legend>{label}</legend>
          <Properties {...props} schema={plain} value={(props.value ?? {}) as FormValue} />
        </fieldset>
      </Match>
      <Match when={control === 'boolean'}>
        <Checkbox label={label} help={plain.description} value={Boolean(props.value ?? plain.default)} onInput={set} />
      </Match>
      <Match when={control === 'choice'}>
        <SelectField
          {...common}
          value={text()}
          onInput={(next) => set(next === '' ? empty() : next)}
          choices={[
            ...(optional || text() === '' ? [{ value: '', label: t('none') }] : []),
            ...choicesOf(plain).map((value) => ({ value, label: value })),
          ]}
        />
      </Match>
      <Match when={control === 'number'}>
        <TextField
          {...common}
          type="number"
          value={text()}
          placeholder={plain.default === undefined ? '' : String(plain.default)}
          onInput={(next) => set(next === '' ? empty() : Number(next))}
        />
      </Match>
      <Match when={control === 'secret'}>
        <PasswordField {...common} autocomplete="off" value={text()} onInput={(next) => set(next === '' ? empty() : next)} />
      </Match>
      <Match when={control === 'lines'}>
        <TextArea {...common} value={text()} onInput={(next) => set(next === '' ? empty() : next)} />
      </Match>
      <Match when={control === 'list'}>
        <LinesField {...common} value={lines()} onChange={set} />
      </Match>
      <Match when={control === 'json'}>
        <JsonField {...common} value={props.value} onChange={set} />
      </Match>
      <Match when={control === 'text'}>
        <TextField
          {...common}
          value={text()}
          placeholder={plain.default === undefined ? '' : String(plain.default)}
          onInput={(next) => set(next === '' ? empty() : next)}
        />
      </Match>
    </Switch>
  )
}

/** A text in each line. Empty lines stay in the field while they are typed, and are not taken over. */
function LinesField(props: Labelled & { readonly value: string; readonly onChange: (lines: readonly string[]) => void }): JSX.Element {
  const [text, setText] = createSignal(props.value)
  const input = (next: string): void => {
    setText(next)
    props.onChange(next.split('\n').filter((line) => line.trim() !== ''))
  }
  return <TextArea {...props} rows={3} value={text()} onInput={input} />
}

/** JSON as text. A text that is not JSON stays in the field and is not taken over. */
export function JsonField(props: {
  readonly label: string
  readonly help?: JSX.Element
  readonly error?: string | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}): JSX.Element {
  const [text, setText] = createSignal(props.value === undefined ? '' : JSON.stringify(props.value, null, 2))
  const [broken, setBroken] = createSignal(false)
  const input = (next: string): void => {
    setText(next)
    try {
      props.onChange(next.trim() === '' ? undefined : JSON.parse(next))
      setBroken(false)
    } catch {
      setBroken(true)
    }
  }
  return (
    <TextArea
      label={props.label}
      help={props.help}
      mono
      rows={6}
      value={text()}
      onInput={input}
      error={broken() ? t('not_json') : props.error}
    />
  )
}

/** Sets a value in an object; groups on the way are made. */
function place(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value
    return
  }
  target[name] ??= {}
  place(target[name] as Record<string, unknown>, rest, value)
}

const pointerOf = (path: readonly string[]): string => path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

function collect(schema: FormSchema, value: FormValue, path: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const here = [...path, name]
    const required = schema.required?.includes(name) ?? false
    if (controlOf(property) === 'group') {
      Object.assign(found, collect(withoutNull(property), (value[name] ?? {}) as FormValue, here))
      continue
    }
    const problem = problemOf(property, value[name], required)
    if (problem) found[pointerOf(here)] = t(problem.key, { limit: problem.limit })
  }
  return found
}

/** The problems of fields below a pointer. */
function byPointer(error: unknown, prefix: string): Record<string, string> {
  const own = (isProblem(error) ? error.errors : []).filter(({ path }) => path.startsWith(`${prefix}/`))
  return Object.fromEntries(own.map(({ path, message }) => [path.slice(prefix.length), message]))
}
