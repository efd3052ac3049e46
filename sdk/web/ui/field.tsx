import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { IconButton } from './button.js'
import { Icon } from './icon.js'
import { Mark } from './mark.js'
import { t } from './texts.js'

export interface Labelled {
  readonly label: string
  readonly help?: JSX.Element
  /** Replaces the help. */
  readonly error?: string | undefined
  /** At the end of the label's line. */
  readonly aside?: JSX.Element
}

interface Bound<Value> {
  readonly value: Value
  readonly onInput: (value: Value) => void
}

/** The frame of a field: label above, help or error below. */
export function Field(
  props: Labelled & { readonly children: (ids: { readonly id: string; readonly describedBy: string }) => JSX.Element },
): JSX.Element {
  const id = createUniqueId()
  return (
    <div class="field">
      <div class="lbl-row">
        <label class="lbl" for={id}>
          {props.label}
        </label>
        <Show when={props.aside}>
          <span>{props.aside}</span>
        </Show>
      </div>
      {props.children({ id, describedBy: `${id}-help` })}
      <Show
        when={props.error}
        fallback={
          <Show when={props.help}>
            {
              <p class="help" id={`${id}-help`}>
                {props.help}
              </p>
            }
          </Show>
        }
      >
        <p class="help err" id={`${id}-help`}>
          <Mark name="fail" />
          {props.error}
        </p>
      </Show>
    </div>
  )
}

/** What a {@link TextField} takes. */
export interface TextFieldProps extends Labelled, Bound<string> {
  readonly type?: 'text' | 'email' | 'url' | 'search' | 'number'
  readonly name?: string
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly mono?: boolean
  readonly autofocus?: boolean
  readonly maxLength?: number
  readonly spellcheck?: boolean
  readonly onBlur?: () => void
}

/**
 * One line of text. Read-only: sunken, with a lock. The field shows `value`; keep what `onInput` gives, which is called for each
 * change. `error` takes the place of `help` and marks the field for assistive technology.
 *
 * @example
 * export function NameField(props: { readonly failure: unknown }): JSX.Element {
 *   const [name, setName] = createSignal('')
 *   return <TextField label={t('name')} value={name()} onInput={setName} error={fieldMessage(props.failure, '/name', 'name_taken')} />
 * }
 */
export function TextField(props: TextFieldProps): JSX.Element {
  return (
    <Field label={props.label} help={props.help} error={props.error} aside={props.aside}>
      {({ id, describedBy }) => (
        <span class="in" classList={{ err: props.error !== undefined, ro: props.readOnly }}>
          <input
            id={id}
            type={props.type ?? 'text'}
            name={props.name}
            classList={{ mono: props.mono }}
            value={props.value}
            autocomplete={(props.autocomplete ?? 'off') as 'off'}
            placeholder={props.placeholder}
            required={props.required}
            readOnly={props.readOnly}
            maxLength={props.maxLength}
            spellcheck={props.spellcheck ?? false}
            autofocus={props.autofocus}
            aria-invalid={props.error !== undefined}
            aria-describedby={props.error !== undefined || props.help !== undefined ? describedBy : undefined}
            onInput={(event) => props.onInput(event.currentTarget.value)}
            onBlur={() => props.onBlur?.()}
          />
          <Show when={props.readOnly}>
            <Icon name="lock" />
          </Show>
        </span>
      )}
    </Field>
  )
}

/** A password or another secret, with a button that shows it. */
export function PasswordField(
  props: Labelled &
    Bound<string> & { readonly name?: string; readonly autocomplete: string; readonly autofocus?: boolean; readonly placeholder?: string },
): JSX.Element {
  const [visible, setVisible] = createSignal(false)
  return (
    <Field label={props.label} help={props.help} error={props.error} aside={props.aside}>
      {({ id, describedBy }) => (
        <span class="in" classList={{ err: props.error !== undefined }}>
          <input
            id={id}
            type={visible() ? 'text' : 'password'}
            name={props.name}
            value={props.value}
            autocomplete={props.autocomplete as 'off'}
            placeholder={props.placeholder}
            autofocus={props.autofocus}
            spellcheck={false}
            aria-invalid={props.error !== undefined}
            aria-describedby={props.error !== undefined || props.help !== undefined ? describedBy : undefined}
            onInput={(event) => props.onInput(event.currentTarget.value)}
          />
          <IconButton
            icon="eye"
            size="small"
            name={visible() ? t('hide_password') : t('show_password')}
            pressed={visible()}
            onClick={() => setVisible((now) => !now)}
          />
        </span>
      )}
    </Field>
  )
}

/** Several lines. */
export function TextArea(
  props: Labelled &
    Bound<string> & { readonly rows?: number; readonly mono?: boolean; readonly placeholder?: string; readonly readOnly?: boolean },
): JSX.Element {
  return (
    <Field label={props.label} help={props.help} error={props.error} aside={props.aside}>
      {({ id, describedBy }) => (
        <span class="in area" classList={{ err: props.error !== undefined, ro: props.readOnly }}>
          <textarea
            id={id}
            rows={props.rows ?? 4}
            classList={{ mono: props.mono }}
            value={props.value}
            placeholder={props.placeholder}
            readOnly={props.readOnly}
            spellcheck={!props.mono}
            aria-invalid={props.error !== undefined}
            aria-describedby={props.error !== undefined || props.help !== undefined ? describedBy : undefined}
            onInput={(event) => props.onInput(event.currentTarget.value)}
          />
        </span>
      )}
    </Field>
  )
}

/** An entry of a list to choose from. */
export interface Choice<Value extends string> {
  /** What `onInput` gets. Unique in its list. */
  readonly value: Value
  /** What people read. */
  readonly label: string
  /** Shown, but not to be chosen. Default: false. */
  readonly disabled?: boolean
}

/** One of a list. The browser's own list opens, also on phones. */
export function SelectField<Value extends string>(
  props: Labelled & Bound<Value> & { readonly choices: readonly Choice<Value>[]; readonly disabled?: boolean },
): JSX.Element {
  return (
    <Field label={props.label} help={props.help} error={props.error} aside={props.aside}>
      {({ id, describedBy }) => (
        <span class="in" classList={{ err: props.error !== undefined }}>
          <select
            id={id}
            disabled={props.disabled}
            aria-invalid={props.error !== undefined}
            aria-describedby={props.error !== undefined || props.help !== undefined ? describedBy : undefined}
            onChange={(event) => props.onInput(event.currentTarget.value as Value)}
          >
            <For each={props.choices}>
              {(choice) => (
                <option value={choice.value} selected={choice.value === props.value} disabled={choice.disabled}>
                  {choice.label}
                </option>
              )}
            </For>
          </select>
          <Icon name="chevron-down" />
        </span>
      )}
    </Field>
  )
}

/** For forms that are saved. */
export function Checkbox(
  props: Bound<boolean> & { readonly label: string; readonly help?: JSX.Element; readonly disabled?: boolean },
): JSX.Element {
  const id = createUniqueId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={props.value}
        disabled={props.disabled}
        aria-describedby={props.help === undefined ? undefined : `${id}-help`}
        onChange={(event) => props.onInput(event.currentTarget.checked)}
      />
      <label for={id}>{props.label}</label>
      <Show when={props.help}>
        <span class="help" id={`${id}-help`}>
          {props.help}
        </span>
      </Show>
    </div>
  )
}

/** Takes effect at once. */
export function Toggle(
  props: Bound<boolean> & {
    readonly label: string
    readonly help?: JSX.Element
    readonly disabled?: boolean
    readonly hideLabel?: boolean
  },
): JSX.Element {
  const id = createUniqueId()
  return (
    <span class="switch-row">
      <input
        id={id}
        type="checkbox"
        role="switch"
        class="switch"
        checked={props.value}
        disabled={props.disabled}
        aria-checked={props.value}
        aria-label={props.hideLabel ? props.label : undefined}
        onChange={(event) => props.onInput(event.currentTarget.checked)}
      />
      <Show when={!props.hideLabel}>
        <label for={id}>
          {props.label}
          <Show when={props.help}>
            <span class="help">{props.help}</span>
          </Show>
        </label>
      </Show>
    </span>
  )
}
