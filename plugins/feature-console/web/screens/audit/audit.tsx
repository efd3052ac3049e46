import './audit.css'
import {
  Badge,
  Button,
  createPagedList,
  csvText,
  EmptyState,
  Failure,
  momentText,
  Page,
  PagedRows,
  saveText,
  showToast,
  whenText,
  whileVisible,
} from '@agent-service/sdk/web'
import { createEffect, createSignal, type JSX, on, onCleanup, Show } from 'solid-js'
import { EntryDetails } from './entry-details.js'
import { Filters } from './filters.js'
import { kindText } from './kinds.js'
import { actorText, subjectName } from './names.js'
import { type Entry, type Filter, NoSuchPersonError, noFilter, readAll, readEntries } from './read-entries.js'
import { t } from './texts.js'

const pageSize = 50
const everyMs = 10_000
const typingMs = 300
const maxExported = 10_000

/** Who did what, with filters, details and an export. Read again every ten seconds. */
export default function Audit(): JSX.Element {
  const [filter, setFilter] = createSignal<Filter>(noFilter)
  const [shown, setShown] = createSignal<Entry>()
  const [exporting, setExporting] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const [isUnknown, setUnknown] = createSignal(false)
  const list = createPagedList<Entry>({
    load: async (cursor) => {
      setUnknown(false)
      try {
        return await readEntries(filter(), cursor, pageSize)
      } catch (error) {
        if (!(error instanceof NoSuchPersonError)) throw error
        setUnknown(true)
        return { items: [], next_cursor: null }
      }
    },
    idOf: ({ id }) => id,
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  createEffect(
    on(
      filter,
      () => {
        clearTimeout(timer)
        timer = setTimeout(() => void list.reload(), typingMs)
      },
      { defer: true },
    ),
  )
  onCleanup(() => clearTimeout(timer))
  whileVisible(everyMs, () => {
    if (list.state() !== 'loading' && list.items().length <= pageSize) void list.reload()
  })
  const isFiltered = (): boolean => JSON.stringify({ ...filter(), relation: '' }) !== JSON.stringify({ ...noFilter, relation: '' })
  const save = async (): Promise<void> => {
    setExporting(true)
    setFailure(undefined)
    try {
      const { entries, isPart } = await readAll(filter(), maxExported)
      saveText(`audit-${new Date().toISOString().slice(0, 10)}.csv`, csvOf(entries), 'text/csv')
      showToast(t(isPart ? 'exported_part' : 'exported', { count: entries.length }), isPart ? { mark: 'warn' } : {})
    } catch (error) {
      setFailure(error)
    } finally {
      setExporting(false)
    }
  }
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button icon="download" busy={exporting()} onClick={() => void save()}>
          {t('export')}
        </Button>
      }
    >
      <Filters filter={filter()} onChange={setFilter} isUnknown={isUnknown()} isFiltered={isFiltered()} />
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows
        list={list}
        label={t('title')}
        empty={<EmptyState title={t(isFiltered() ? 'none_found' : 'empty')} text={t(isFiltered() ? 'none_found_text' : 'empty_text')} />}
      >
        {(entry) => <EntryRow entry={entry} onShow={() => setShown(entry)} />}
      </PagedRows>
      <Show when={shown()}>{(entry) => <EntryDetails entry={entry()} onClose={() => setShown(undefined)} />}</Show>
    </Page>
  )
}

function EntryRow(props: { readonly entry: Entry; readonly onShow: () => void }): JSX.Element {
  const subject = (): string => subjectName(props.entry)
  return (
    <button type="button" class="audit-row" onClick={() => props.onShow()}>
      <span class="audit-when num" title={momentText(props.entry.at)}>
        {whenText(props.entry.at)}
      </span>
      <span class="audit-what">
        <b>
          <bdi>{kindText(props.entry.kind)}</bdi>
        </b>
        <Show when={subject() !== '' && props.entry.subject_id !== props.entry.actor_id}>
          <span class="t2 cut">
            <bdi>{subject()}</bdi>
          </span>
        </Show>
        <Show when={props.entry.outcome === 'failed'}>
          <Badge tone="danger" mark="fail">
            {t('failed')}
          </Badge>
        </Show>
      </span>
      <span class="audit-who t2 cut">
        <bdi>{actorText(props.entry)}</bdi>
      </span>
      <span class="audit-from meta cut">
        <bdi>{props.entry.address ?? ''}</bdi>
      </span>
    </button>
  )
}

const columns = [
  ...(['at', 'kind', 'outcome', 'actor_name', 'actor_id', 'subject_name', 'subject_id', 'source', 'address'] as const),
  ...(['operation', 'request_id', 'session_id', 'token_id', 'before', 'after', 'details', 'id'] as const),
] as const

/** One line for each entry; states and details as JSON. */
function csvOf(entries: readonly Entry[]): string {
  const text = (value: unknown): string => (value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value))
  return csvText([columns, ...entries.map((entry) => columns.map((column) => text(entry[column])))])
}
