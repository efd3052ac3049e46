import './audit.css'
import {
  Badge,
  Button,
  createAction,
  createRested,
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
import { createSignal, type JSX, Show } from 'solid-js'
import { createPagedQuery } from '../../api/index.js'
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
  const asked = createRested(filter, typingMs)
  const list = createPagedQuery<Entry>({
    key: () => ['audit', asked()],
    read: (cursor, signal) => readEntries(asked(), { cursor, limit: pageSize, signal }),
    idOf: ({ id }) => id,
  })
  const isUnknown = (): boolean => list.error() instanceof NoSuchPersonError
  whileVisible(everyMs, () => {
    if (list.state() !== 'loading' && list.items().length <= pageSize) void list.reload()
  })
  const isFiltered = (): boolean => JSON.stringify({ ...filter(), relation: '' }) !== JSON.stringify({ ...noFilter, relation: '' })
  const exporting = createAction(async () => {
    const { entries, isPart } = await readAll(filter(), maxExported)
    saveText(`audit-${new Date().toISOString().slice(0, 10)}.csv`, csvOf(entries), 'text/csv')
    showToast(t(isPart ? 'exported_part' : 'exported', { count: entries.length }), isPart ? { mark: 'warn' } : {})
  })
  const empty = (): JSX.Element => (
    <EmptyState title={t(isFiltered() ? 'none_found' : 'empty')} text={t(isFiltered() ? 'none_found_text' : 'empty_text')} />
  )
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button icon="download" busy={exporting.busy()} onClick={() => void exporting.run()}>
          {t('export')}
        </Button>
      }
    >
      <Filters filter={filter()} onChange={setFilter} isUnknown={isUnknown()} isFiltered={isFiltered()} />
      <Show when={exporting.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={!isUnknown()} fallback={empty()}>
        <PagedRows list={list} label={t('title')} empty={empty()}>
          {(entry) => <EntryRow entry={entry} onShow={() => setShown(entry)} />}
        </PagedRows>
      </Show>
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
