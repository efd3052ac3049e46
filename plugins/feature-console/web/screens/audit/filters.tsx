import { Button, Field, SelectField, TextField } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { kindText, knownKinds } from './kinds.js'
import { type Filter, noFilter } from './read-entries.js'
import { t } from './texts.js'

/** Action, person, outcome and period. */
export function Filters(props: {
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
  /** No account has the username that was entered. */
  readonly isUnknown: boolean
  readonly isFiltered: boolean
}): JSX.Element {
  const set = (change: Partial<Filter>): void => props.onChange({ ...props.filter, ...change })
  return (
    <search class="audit-filters">
      <SelectField
        label={t('action')}
        value={props.filter.kind}
        onInput={(kind) => set({ kind })}
        choices={[{ value: '', label: t('all') }, ...knownKinds().map((kind) => ({ value: kind, label: kindText(kind) }))]}
      />
      <SelectField
        label={t('outcome')}
        value={props.filter.outcome}
        onInput={(outcome) => set({ outcome })}
        choices={[
          { value: '', label: t('all') },
          { value: 'succeeded', label: t('succeeded') },
          { value: 'failed', label: t('failed') },
        ]}
      />
      <SelectField
        label={t('relation')}
        value={props.filter.relation}
        onInput={(relation) => set({ relation })}
        choices={[
          { value: 'actor', label: t('by') },
          { value: 'subject', label: t('about') },
        ]}
      />
      <TextField
        label={t('person')}
        type="search"
        placeholder={t('person_hint')}
        value={props.filter.username}
        onInput={(username) => set({ username })}
        error={props.isUnknown ? t('person_none') : undefined}
      />
      <DayField label={t('from')} value={props.filter.from} onInput={(from) => set({ from })} />
      <DayField label={t('to')} value={props.filter.to} onInput={(to) => set({ to })} />
      <Show when={props.isFiltered}>
        <div class="audit-clear">
          <Button kind="quiet" icon="x" onClick={() => props.onChange(noFilter)}>
            {t('clear')}
          </Button>
        </div>
      </Show>
    </search>
  )
}

function DayField(props: { readonly label: string; readonly value: string; readonly onInput: (day: string) => void }): JSX.Element {
  return (
    <Field label={props.label}>
      {({ id }) => (
        <span class="in">
          <input id={id} type="date" value={props.value} onInput={(event) => props.onInput(event.currentTarget.value)} />
        </span>
      )}
    </Field>
  )
}
