import './logs.css'
import { Button, currentQuery, EmptyState, errorText, Page, SelectField, Skeleton, StateMark, TextField } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { type Entry, type Filter, followLog } from './follow-log.js'
import { LineList } from './line-list.js'
import { t } from './texts.js'

/** The log of the service, live, with a level, a source and a search. */
export default function Logs(): JSX.Element {
  const [filter, setFilter] = createSignal<Filter>({ level: '', source: '', search: currentQuery().get('search') ?? '' })
  const log = followLog(filter)
  const seen = new Set<string>()
  const sources = (): readonly string[] => {
    for (const line of log.lines()) if (line.kind === 'entry') seen.add(line.entry.source)
    const { source } = filter()
    return [...new Set([...seen, ...(source === '' ? [] : [source])])].sort()
  }
  const set = (change: Partial<Filter>): void => void setFilter((before) => ({ ...before, ...change }))
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <span role="status">
            <StateMark mark={log.isPaused() ? 'pause' : log.error() ? 'warn' : 'run'}>{t(log.isPaused() ? 'paused' : 'live')}</StateMark>
          </span>
          <Button icon={log.isPaused() ? 'player-play' : 'player-pause'} onClick={() => log.setPaused(!log.isPaused())}>
            {log.isPaused() ? `${t('resume')}${log.waiting() > 0 ? ` (${t('waiting', { count: log.waiting() })})` : ''}` : t('pause')}
          </Button>
        </>
      }
    >
      <search class="logs-filters">
        <SelectField
          label={t('level')}
          value={filter().level}
          onInput={(level) => set({ level })}
          choices={[
            { value: '' as '' | Entry['level'], label: t('all_levels') },
            { value: 'info', label: t('infos') },
            { value: 'warn', label: t('warns') },
            { value: 'error', label: t('errors') },
          ]}
        />
        <SelectField
          label={t('source')}
          value={filter().source}
          onInput={(source) => set({ source })}
          choices={[{ value: '', label: t('all_sources') }, ...sources().map((source) => ({ value: source, label: source }))]}
        />
        <TextField
          label={t('search')}
          type="search"
          placeholder={t('search_hint')}
          value={filter().search}
          onInput={(search) => set({ search })}
        />
      </search>
      <Show when={log.error()}>
        {(error) => (
          <p class="help logs-note" role="status">
            {t('failed_later', { problem: errorText(error()) })}
          </p>
        )}
      </Show>
      <Show when={!log.isLoading() || log.lines().length > 0} fallback={<Skeleton lines={10} />}>
        <Show when={log.lines().length > 0} fallback={<EmptyState title={t('empty')} text={t('empty_text')} />}>
          <LineList log={log} />
        </Show>
      </Show>
    </Page>
  )
}
