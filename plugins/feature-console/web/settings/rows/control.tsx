import { Button, Icon, IconButton, Segments } from '@agent-service/sdk/web'
import { createSignal, createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Edit } from '../model/edits.js'
import { type Item, itemsIn } from '../model/items.js'
import { readQuantity } from '../model/quantity.js'
import { at, isSame } from '../model/schema.js'
import { isOpaque, type Setting, secretStateOf } from '../model/setting.js'
import { isReference, numberProblem, shownValue, unitText } from '../model/values.js'
import { t } from '../words/texts.js'
import { ItemsControl } from './items-control.js'

interface ControlProps {
  readonly id: string
  /** The ids of help and messages. */
  readonly describedBy: string
  readonly setting: Setting
  readonly edit: Edit | undefined
  readonly isWrong: boolean
  /** A new value, or `undefined` for back to what is saved. */
  readonly onEdit: (edit: Pick<Edit, 'kind' | 'value' | 'text' | 'broken'> | undefined) => void
}

/** Where the value of a setting is entered, by its kind. It keeps no state but the edit itself. */
export function Control(props: ControlProps): JSX.Element {
  const kind = () => props.setting.kind
  const isReadOnly = () => props.setting.lockedBy !== undefined || isOpaque(props.setting)
  const isText = () => isReference(current(props))
  return (
    <Switch fallback={<TextControl {...props} />}>
      <Match when={isReadOnly()}>
        <ReadOnly {...props} />
      </Match>
      <Match when={kind() === 'secret'}>
        <SecretControl {...props} />
      </Match>
      <Match when={kind() === 'boolean' && !isText()}>
        <Segments
          label={props.setting.title.text}
          value={String(current(props) ?? '')}
          choices={[
            { value: 'true', label: t('yes') },
            { value: 'false', label: t('no') },
          ]}
          onInput={(next) => put(props, next === 'true')}
        />
      </Match>
      <Match when={kind() === 'choice' && !isText()}>
        <ChoiceControl {...props} />
      </Match>
      <Match when={kind() === 'list' && !isText()}>
        <LinesControl {...props} />
      </Match>
      <Match when={kind() === 'json' && !isText()}>
        <ItemsOrJson {...props} />
      </Match>
    </Switch>
  )
}

/** The value that the control shows; `undefined` after a reset to a default that is no fixed value. */
const current = ({ edit, setting }: ControlProps): unknown =>
  edit === undefined ? setting.value : edit.kind === 'reset' ? setting.node.default : edit.value

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** Reports a value; one that is saved already is no edit. */
function put({ setting, onEdit }: ControlProps, value: unknown, more: Pick<Edit, 'text' | 'broken'> = {}): void {
  if (more.broken === undefined && value === setting.value) onEdit(undefined)
  else onEdit({ kind: 'set', value, ...more })
}

/** An emptied field means: not in the file. */
const putEmpty = ({ setting, onEdit }: ControlProps): void => onEdit(setting.saved === undefined ? undefined : { kind: 'reset' })

const fieldOf = (props: ControlProps) => ({
  get id() {
    return props.id
  },
  get 'aria-invalid'() {
    return props.isWrong
  },
  get 'aria-describedby'() {
    return props.describedBy
  },
})

function TextControl(props: ControlProps): JSX.Element {
  const isNumber = () => props.setting.kind === 'number'
  const text = (): string => props.edit?.text ?? textOf(current(props))
  const input = (next: string): void => {
    if (next === '') putEmpty(props)
    else if (!isNumber() || isReference(next)) put(props, next)
    else putNumber(props, next)
  }
  const list = createUniqueId()
  const suggestions = (): readonly string[] =>
    props.setting.node['x-format'] === 'time-zone' ? Intl.supportedValuesOf('timeZone') : props.setting.choices
  const placeholder = (): string => textOf(props.setting.node['x-default-path'] ?? props.setting.node.default)
  return (
    <span class="in" classList={{ err: props.isWrong }}>
      <input
        {...fieldOf(props)}
        type="text"
        value={text()}
        inputmode={isNumber() && props.setting.unit === undefined ? 'decimal' : 'text'}
        placeholder={placeholder()}
        autocomplete="off"
        spellcheck={false}
        list={suggestions().length > 0 ? list : undefined}
        onInput={(event) => input(event.currentTarget.value)}
      />
      <Show when={suggestions().length > 0}>
        <datalist id={list}>
          <For each={suggestions()}>{(choice) => <option value={choice} />}</For>
        </datalist>
      </Show>
      <Show when={isNumber() && unitText(props.setting.unit)}>
        {(unit) => (
          <span class="meta" aria-hidden="true">
            {unit()}
          </span>
        )}
      </Show>
    </span>
  )
}

function putNumber(props: ControlProps, text: string): void {
  const number = readQuantity(text, props.setting.unit)
  const isPlain = number !== undefined && String(number) === text
  if (number === undefined) put(props, undefined, { text, broken: 'number' })
  else put(props, number, { ...(!isPlain && { text }), ...(numberProblem(props.setting, number) !== undefined && { broken: 'number' }) })
}

function ChoiceControl(props: ControlProps): JSX.Element {
  const text = () => textOf(current(props))
  const choices = () => [...(text() === '' || !props.setting.choices.includes(text()) ? [text()] : []), ...props.setting.choices]
  return (
    <span class="in" classList={{ err: props.isWrong }}>
      <select
        {...fieldOf(props)}
        onChange={(event) => (event.currentTarget.value === '' ? putEmpty(props) : put(props, event.currentTarget.value))}
      >
        <For each={choices()}>
          {(choice) => (
            <option value={choice} selected={choice === text()}>
              {choice === '' ? t('not_set') : choice}
            </option>
          )}
        </For>
      </select>
      <Icon name="chevron-down" />
    </span>
  )
}

function SecretControl(props: ControlProps): JSX.Element {
  const [isVisible, setVisible] = createSignal(false)
  const state = () => secretStateOf(props.setting.value)
  const placeholder = (): string =>
    props.edit?.kind === 'reset' ? t('secret_removed') : (state().reference ?? (state().is_set ? t('secret_placeholder') : t('not_set')))
  return (
    <span class="in" classList={{ err: props.isWrong }}>
      <input
        {...fieldOf(props)}
        type={isVisible() ? 'text' : 'password'}
        value={textOf(props.edit?.value)}
        placeholder={placeholder()}
        autocomplete="new-password"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => props.onEdit(value === '' ? undefined : { kind: 'set', value })}
      />
      <IconButton
        icon="eye"
        size="small"
        name={isVisible() ? t('hide') : t('show')}
        pressed={isVisible()}
        onClick={() => setVisible((now) => !now)}
      />
    </span>
  )
}

function LinesControl(props: ControlProps): JSX.Element {
  const text = (): string => {
    const value = current(props)
    return props.edit?.text ?? (Array.isArray(value) ? value.join('\n') : '')
  }
  const input = (next: string): void => {
    const lines = next.split('\n').map((line) => line.trim())
    put(
      props,
      lines.filter((line) => line !== ''),
      { text: next },
    )
  }
  return (
    <span class="in area" classList={{ err: props.isWrong }}>
      <textarea
        {...fieldOf(props)}
        rows={Math.min(8, Math.max(2, text().split('\n').length))}
        value={text()}
        placeholder={t('lines_help')}
        spellcheck={false}
        onInput={(event) => input(event.currentTarget.value)}
      />
    </span>
  )
}

/** A list of objects in rows, or as JSON where the person prefers that or it has something else in it. */
function ItemsOrJson(props: ControlProps): JSX.Element {
  const [asJson, setAsJson] = createSignal(false)
  const items = () => (props.edit?.broken === undefined ? itemsIn(current(props)) : undefined)
  const input = (next: readonly Item[]): void => {
    if (isSame(next, props.setting.value ?? [])) props.onEdit(undefined)
    else props.onEdit({ kind: 'set', value: next })
  }
  return (
    <Show when={props.setting.fieldsOf} fallback={<JsonControl {...props} />}>
      {(fieldsOf) => (
        <>
          <Show when={!asJson() && items()} fallback={<JsonControl {...props} />}>
            {(found) => <ItemsControl items={found()} fieldsOf={fieldsOf()} onInput={input} />}
          </Show>
          <Button kind="quiet" size="small" onClick={() => setAsJson((now) => !now)}>
            {asJson() ? t('as_rows') : t('as_json')}
          </Button>
        </>
      )}
    </Show>
  )
}

function JsonControl(props: ControlProps): JSX.Element {
  const text = (): string => {
    const value = current(props)
    return props.edit?.text ?? (value === undefined || value === null ? '' : JSON.stringify(value, null, 2))
  }
  const input = (next: string): void => {
    if (next.trim() === '') putEmpty(props)
    else putJson(props, next)
  }
  return (
    <span class="in area" classList={{ err: props.isWrong }}>
      <textarea
        {...fieldOf(props)}
        class="mono"
        rows={Math.min(16, Math.max(3, text().split('\n').length))}
        value={text()}
        placeholder={t('json_help')}
        spellcheck={false}
        onInput={(event) => input(event.currentTarget.value)}
      />
    </span>
  )
}

function putJson(props: ControlProps, text: string): void {
  try {
    put(props, JSON.parse(text), { text })
  } catch {
    put(props, undefined, { text, broken: 'json' })
  }
}

function ReadOnly(props: ControlProps): JSX.Element {
  const text = () => shownValue(props.setting, props.setting.value)
  return (
    <Show
      when={text().includes('\n')}
      fallback={
        <span class="in ro">
          <input {...fieldOf(props)} type="text" value={text()} readOnly />
          <Icon name="lock" />
        </span>
      }
    >
      <span class="in area ro">
        <textarea {...fieldOf(props)} class="mono" rows={Math.min(8, text().split('\n').length)} value={text()} readOnly />
        <Icon name="lock" />
      </span>
    </Show>
  )
}

/** Why an edit is no value yet, in words. */
export function brokenText(setting: Setting, { broken, value, text }: Edit): string | undefined {
  if (broken === 'json') return t('json_invalid')
  if (broken !== 'number') return undefined
  if (typeof value === 'number') return numberProblem(setting, value)
  const example = at({ seconds: '5 min', milliseconds: '2 s', bytes: '20 MiB', days: '2 weeks' }, [setting.unit ?? ''])
  return text !== undefined && example !== undefined ? t('invalid_number_unit', { example: String(example) }) : t('invalid_number')
}
