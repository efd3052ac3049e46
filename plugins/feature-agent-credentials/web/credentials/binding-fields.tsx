import './fields.css'
import { SelectField, TextField } from '@agent-service/sdk/web'
import { Index, type JSX } from 'solid-js'
import { t } from './texts.js'

/** Where programs find a field; an empty variable: nowhere, or where the service decides. */
export interface Binding {
  readonly field: string
  readonly variable: string
  readonly as: 'value' | 'file'
}

/** Where the fields of a credential or a grant are found now. */
export const boundIn = (
  fields: readonly { readonly name: string; readonly variable: string | null; readonly as: Binding['as'] }[],
): readonly Binding[] => fields.map(({ name, variable, as }) => ({ field: name, variable: variable ?? '', as }))

/** The members of a request. */
export const bindingsBody = (bindings: readonly Binding[]) =>
  bindings.map(({ field, variable, as }) => ({ field, variable: variable.trim() === '' ? null : variable.trim(), as }))

/** The variables of fields, each with its value or the path of a file. */
export function BindingFields(props: {
  readonly bindings: readonly Binding[]
  /** What is wrong with a part of the request. */
  readonly problem: (path: string) => string | undefined
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
            error={props.problem(`/bindings/${index}/variable`)}
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
