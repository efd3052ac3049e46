import './fields.css'
import { SelectField, TextField } from '@agent-service/sdk/web'
import type { FieldProblems } from '@agent-service/sdk/web/forms'
import { Index, type JSX } from 'solid-js'
import { t } from './texts.js'

/** Where programs find a field; an empty variable: nowhere, or where the service decides. */
export interface Binding {
  readonly field: string
  readonly variable: string
  readonly as: 'value' | 'file'
}

/** The members of a request. */
export const bindingsBody = (bindings: readonly Binding[]) =>
  bindings.map(({ field, variable, as }) => ({ field, variable: variable.trim() === '' ? null : variable.trim(), as }))

/** The variables of fields, each with its value or the path of a file. */
export function BindingFields(props: {
  readonly bindings: readonly Binding[]
  readonly problems: FieldProblems
  /** What an empty variable means. */
  readonly help: string
  readonly onInput: (bindings: readonly Binding[]) => void
}): JSX.Element {
  const change = (index: number, next: Partial<Binding>): void =>
    props.onInput(props.bindings.map((binding, at) => (at === index ? { ...binding, ...next } : binding)))
  return (
    <Index each={props.bindings}>
      {(binding, index) => (
        <div class="credentials-two">
          <TextField
            label={t('variable_of', { field: binding().field })}
            help={props.help}
            mono
            maxLength={100}
            value={binding().variable}
            onInput={(variable) => change(index, { variable })}
            error={props.problems[`/bindings/${index}/variable`]}
          />
          <SelectField
            label={t('what_of', { field: binding().field })}
            value={binding().as}
            onInput={(as) => change(index, { as })}
            choices={[
              { value: 'value', label: t('as_value') },
              { value: 'file', label: t('as_file') },
            ]}
          />
        </div>
      )}
    </Index>
  )
}
