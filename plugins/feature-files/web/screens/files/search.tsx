import { createRested, EmptyState, PagedRows, TextField } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, createPagedQuery } from '../../api/index.js'
import type { Listed } from './folders.js'
import { t } from './texts.js'

const waitMs = 250

/** A field for a part of a name; while it is filled, what was found replaces the folder. */
export function Search(props: {
  readonly folder: string
  readonly row: (file: Listed) => JSX.Element
  /** The folder. */
  readonly children: JSX.Element
}): JSX.Element {
  const [typed, setTyped] = createSignal('')
  const rested = createRested(() => typed().trim(), waitMs)
  /** The folder comes back at once. */
  const name = (): string => (typed().trim() === '' ? '' : rested())
  return (
    <>
      <div class="files-search">
        <TextField label={t('search')} type="search" maxLength={200} value={typed()} onInput={setTyped} />
      </div>
      <Show when={name() !== ''} fallback={props.children}>
        <Found folder={props.folder} name={name()} row={props.row} />
      </Show>
    </>
  )
}

function Found(props: { readonly folder: string; readonly name: string; readonly row: (file: Listed) => JSX.Element }): JSX.Element {
  const list = createPagedQuery<Listed>({
    key: () => ['found', props.folder, props.name],
    read: (cursor, signal) =>
      api.get('/api/files/search', {
        query: { name: props.name, path: props.folder, limit: 50, ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    idOf: ({ path }) => path,
  })
  return (
    <PagedRows list={list} label={t('found')} empty={<EmptyState title={t('found_nothing')} text={t('found_nothing_text')} />}>
      {(file) => props.row(file)}
    </PagedRows>
  )
}
