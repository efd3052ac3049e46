import {
  createRested,
  currentPath,
  currentQuery,
  EmptyState,
  Failure,
  Field,
  navigate,
  PagedRows,
  SelectField,
  TextField,
  whileVisible,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { createPagedQuery } from '../../api/index.js'
import { MemoryRow } from './memory-row.js'
import { endOfDay, type Filter, type Kind, type Memory, type Names, readMemories, scopeChoices, scopeValue } from './read-memory.js'
import { t } from './texts.js'

const searchPauseMs = 250
const everyMs = 60_000

/** The memories of a kind, narrowed by scope, words and day; live. */
export function Known(props: { readonly kind: Kind; readonly names: Names; readonly hasHistory: boolean }): JSX.Element {
  const [text, setText] = createSignal('')
  const [day, setDay] = createSignal('')
  const scope = (): string => scopeIn(currentQuery())
  const asked = createRested(() => text().trim(), searchPauseMs)
  const filter = (): Filter => ({ kind: props.kind, scope: scope(), text: asked(), day: day() })
  const list = createPagedQuery<Memory>({
    key: () => ['memories', filter()],
    read: (cursor, signal) => readMemories(filter(), cursor, signal),
    idOf: ({ id }) => id,
  })
  whileVisible(everyMs, () => void list.reload())
  const isNarrow = (): boolean => scope() !== '' || text().trim() !== '' || day() !== ''
  return (
    <>
      <search class="memory-filters">
        <TextField label={t('search')} type="search" maxLength={1000} value={text()} onInput={setText} />
        <SelectField
          label={t('scope')}
          value={scope()}
          onInput={(value) => void navigate(withScope(value), { replace: true })}
          choices={[{ value: '', label: t('everything') }, ...withChosen(scopeChoices(props.names), scope(), props.names)]}
        />
        <Show when={props.hasHistory}>
          <DayField value={day()} onInput={setDay} />
        </Show>
      </search>
      <Show when={props.names.error()}>{(error) => <Failure error={error()} onRetry={() => props.names.reload()} />}</Show>
      <PagedRows
        list={list}
        label={t(`tab_${props.kind}`)}
        empty={
          <Show when={isNarrow()} fallback={<EmptyState title={t(`none_${props.kind}`)} text={t(`none_${props.kind}_text`)} />}>
            <EmptyState title={t('no_match')} text={t('no_match_text')} />
          </Show>
        }
      >
        {(memory) => (
          <MemoryRow
            memory={memory}
            names={props.names}
            onChanged={(changed) => list.put(changed)}
            onForgotten={() => list.remove(memory.id)}
          />
        )}
      </PagedRows>
    </>
  )
}

/** A day whose end is looked at; empty: now. */
export function DayField(props: { readonly value: string; readonly onInput: (day: string) => void }): JSX.Element {
  return (
    <Field label={t('as_of')}>
      {({ id }) => (
        <span class="in">
          <input
            id={id}
            type="date"
            value={props.value}
            onInput={({ currentTarget: { value } }) => (value === '' || endOfDay(value) !== undefined) && props.onInput(value)}
          />
        </span>
      )}
    </Field>
  )
}

/** The chosen scope of an address: `?agent=…`, `?space=…`, `?scope=user`. */
function scopeIn(query: URLSearchParams): string {
  const agent = query.get('agent')
  const space = query.get('space')
  if (agent !== null) return scopeValue({ kind: 'agent', agent_id: agent })
  if (space !== null) return scopeValue({ kind: 'space', space_id: space })
  return query.get('scope') === 'user' ? 'user' : ''
}

function withScope(value: string): string {
  const [kind = '', id = ''] = value.split(' ')
  if (kind === '') return currentPath()
  return `${currentPath()}?${new URLSearchParams(kind === 'user' ? { scope: kind } : { [kind]: id })}`
}

/** What an address has chosen stays in the list, also when it is not known. */
function withChosen(choices: ReturnType<typeof scopeChoices>, chosen: string, names: Names): ReturnType<typeof scopeChoices> {
  if (chosen === '' || choices.some(({ value }) => value === chosen)) return choices
  const [kind, id = ''] = chosen.split(' ')
  return [...choices, { value: chosen, label: names.scope(kind === 'agent' ? { kind, agent_id: id } : { kind: 'space', space_id: id }) }]
}
