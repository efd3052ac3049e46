import { Button } from '@agent-service/sdk/web'
import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Edit } from '../model/edits.js'
import type { Row } from '../model/layout.js'
import { t } from '../words/texts.js'
import { Wrong } from './setting-row.js'
import { TitleText } from './title-text.js'

/** The heading of an object. */
export const GroupRow = (props: { readonly row: Extract<Row, { kind: 'group' }> }): JSX.Element => (
  <h3 class="settings-group" classList={{ inner: props.row.depth > 0 }}>
    <TitleText title={props.row.title} />
  </h3>
)

/** The heading of an entry of a map, with the button that removes it. */
export function EntryRow(props: {
  readonly row: Extract<Row, { kind: 'entry' }>
  readonly edit: Edit | undefined
  readonly problems: readonly string[]
  readonly isLocked: boolean
  readonly onRemove: () => void
  readonly onRestore: () => void
}): JSX.Element {
  const name = () => props.row.parts.at(-1) ?? ''
  const isRemoved = () => props.edit?.kind === 'reset'
  const isRemovable = () => !props.isLocked && (props.row.isSaved || props.edit !== undefined)
  return (
    <div class="settings-entry" data-entry={props.row.path}>
      <h3 class="grow">
        <bdi>{name()}</bdi> <bdi class="mono meta">{props.row.path}</bdi>
        <Show when={isRemoved() || props.edit?.kind === 'set'}>
          <span class="badge accent">{isRemoved() ? t('entry_removed') : t('entry_new')}</span>
        </Show>
      </h3>
      <Show when={isRemoved()}>
        <Button kind="quiet" size="small" label={`${t('undo')}: ${name()}`} onClick={props.onRestore}>
          {t('undo')}
        </Button>
      </Show>
      <Show when={isRemovable() && !isRemoved()}>
        <Button kind="danger" size="small" icon="trash" label={t('remove_entry', { name: name() })} onClick={props.onRemove}>
          {t('remove')}
        </Button>
      </Show>
      <For each={props.problems}>{(text) => <Wrong isEnglish>{text}</Wrong>}</For>
    </div>
  )
}

/** A field for the name of a new entry. */
export function AddRow(props: {
  readonly row: Extract<Row, { kind: 'add' }>
  readonly taken: (parts: readonly string[]) => boolean
  readonly onAdd: (parts: readonly string[]) => void
}): JSX.Element {
  const [name, setName] = createSignal('')
  const [isTaken, setTaken] = createSignal(false)
  const id = createUniqueId()
  const add = (): void => {
    const parts = [...props.row.parts, name().trim()]
    if (name().trim() === '') return
    setTaken(props.taken(parts))
    if (isTaken()) return
    props.onAdd(parts)
    setName('')
  }
  return (
    <form
      class="settings-add"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <label class="lbl" for={id}>
        {t('add_text', { path: props.row.parts.join('.') })}
      </label>
      <div class="row">
        <span class="in" classList={{ err: isTaken() }}>
          <input
            id={id}
            type="text"
            value={name()}
            list={`${id}-known`}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={isTaken()}
            aria-describedby={`${id}-help`}
            onInput={(event) => {
              setTaken(false)
              setName(event.currentTarget.value)
            }}
          />
          <datalist id={`${id}-known`}>
            <For each={props.row.known}>{(known) => <option value={known} />}</For>
          </datalist>
        </span>
        <Button type="submit" icon="plus" disabled={name().trim() === ''}>
          {t('add')}
        </Button>
      </div>
      <div id={`${id}-help`}>
        <Show when={isTaken()}>
          <Wrong>{t('name_taken')}</Wrong>
        </Show>
      </div>
    </form>
  )
}
