import '../../../credentials/fields.css'
import { Button, Checkbox, Icon, IconButton, PasswordField, SelectField, TextArea, TextField } from '@agent-service/sdk/web'
import { createUniqueId, Index, type JSX, Show } from 'solid-js'
import { t as shared } from '../../../credentials/texts.js'
import { emptyField, type FieldDraft } from '../common/field-draft.js'
import { t } from '../common/texts.js'

/** As many as the service takes. */
const maxFields = 32

/** The fields of a credential with their values. What is secret is entered unseen. */
export function FieldFields(props: {
  readonly fields: readonly FieldDraft[]
  /** What is wrong with a part of the request. */
  readonly problem: (path: string) => string | undefined
  readonly onInput: (fields: readonly FieldDraft[]) => void
}): JSX.Element {
  const change = (index: number, change: Partial<FieldDraft>): void =>
    props.onInput(props.fields.map((field, at) => (at === index ? { ...field, ...change } : field)))
  return (
    <>
      <Index each={props.fields}>
        {(field, index) => (
          <OneField
            field={field()}
            number={index + 1}
            problem={(member) => props.problem(`/fields/${index}/${member}`)}
            onInput={(next) => change(index, next)}
            onRemove={props.fields.length > 1 ? () => props.onInput(props.fields.filter((_, at) => at !== index)) : undefined}
          />
        )}
      </Index>
      <Show when={props.fields.length < maxFields}>
        <Button size="small" icon="plus" onClick={() => props.onInput([...props.fields, emptyField])}>
          {t('field_add')}
        </Button>
      </Show>
    </>
  )
}

function OneField(props: {
  readonly field: FieldDraft
  readonly number: number
  readonly problem: (member: string) => string | undefined
  readonly onInput: (change: Partial<FieldDraft>) => void
  readonly onRemove: (() => void) | undefined
}): JSX.Element {
  const id = createUniqueId()
  const value = () => ({
    label: t('field_value'),
    value: props.field.value,
    error: props.problem('value'),
    onInput: (next: string) => props.onInput({ value: next }),
    ...(props.field.secret && { help: t('field_value_help') }),
  })
  return (
    <fieldset class="credentials-field" aria-labelledby={id}>
      <div class="credentials-field-head">
        <span class="lbl t2" id={id}>
          {t('field', { number: props.number })}
        </span>
        <Show when={props.onRemove}>
          {(remove) => (
            <IconButton icon="trash" size="small" name={t('field_remove', { number: props.number })} onClick={() => remove()()} />
          )}
        </Show>
      </div>
      <div class="credentials-two">
        <TextField
          label={t('field_name')}
          mono
          maxLength={64}
          value={props.field.name}
          onInput={(name) => props.onInput({ name })}
          error={props.problem('name')}
        />
        <Show
          when={props.field.lines}
          fallback={
            <Show when={props.field.secret} fallback={<TextField {...value()} />}>
              <PasswordField {...value()} autocomplete="new-password" />
            </Show>
          }
        >
          <div classList={{ 'credentials-unseen': props.field.secret }}>
            <TextArea {...value()} mono rows={3} />
          </div>
        </Show>
      </div>
      <Checkbox
        label={t('field_secret')}
        help={t('field_secret_help')}
        value={props.field.secret}
        onInput={(secret) => props.onInput({ secret })}
      />
      <details class="fold" open={props.problem('variable') !== undefined}>
        <summary>
          <Icon name="chevron-right" />
          {t('program')}
        </summary>
        <div class="credentials-more">
          <div class="credentials-two">
            <TextField
              label={t('variable')}
              help={t('variable_help')}
              mono
              maxLength={100}
              value={props.field.variable}
              onInput={(variable) => props.onInput({ variable })}
              error={props.problem('variable')}
            />
            <SelectField
              label={t('what_variable')}
              value={props.field.as}
              onInput={(as) => props.onInput({ as })}
              choices={[
                { value: 'value', label: shared('as_value') },
                { value: 'file', label: shared('as_file') },
              ]}
            />
          </div>
          <Checkbox label={t('many_lines')} value={props.field.lines} onInput={(lines) => props.onInput({ lines })} />
        </div>
      </details>
    </fieldset>
  )
}
