import { agentName, dayTimeText, EmptyState, Mark, type MarkName, momentText, PagedRows, SelectField } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, createPagedQuery, type Schemas } from '../../api/index.js'
import { t as shared } from '../../credentials/texts.js'
import type { Overview } from './common/read-credentials.js'
import { t } from './common/texts.js'

type Entry = Schemas['CredentialLogEntry']

const pageSize = 50

/** What was done with the person's credentials, the newest first, of one agent or credential alone if they choose. */
export function AccessLog(props: { readonly overview: Overview }): JSX.Element {
  const [agentId, setAgentId] = createSignal('')
  const [name, setName] = createSignal('')
  const filter = () => ({ ...(agentId() !== '' && { agent_id: agentId() }), ...(name() !== '' && { name: name() }) })
  const list = createPagedQuery<Entry>({
    key: () => ['log', filter()],
    read: (cursor, signal) =>
      api.get('/api/credentials/log', { query: { limit: pageSize, ...filter(), ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: ({ id }) => id,
  })
  const isFiltered = (): boolean => agentId() !== '' || name() !== ''
  const nameOf = (id: string): string => agentName(props.overview.agents.find((agent) => agent.id === id)?.name ?? t('log_agent_gone'))
  const names = (): readonly string[] =>
    [
      ...new Set([
        ...props.overview.sources.flatMap((source) => [
          ...(source.name === undefined ? [] : [source.name]),
          ...source.grants.map((grant) => grant.name),
        ]),
        ...(name() === '' ? [] : [name()]),
      ]),
    ].sort()
  return (
    <>
      <div class="credentials-filters">
        <SelectField
          label={shared('agent')}
          value={agentId()}
          onInput={setAgentId}
          choices={[
            { value: '', label: t('log_all_agents') },
            ...props.overview.agents.map((agent) => ({ value: agent.id, label: agentName(agent.name) })),
          ]}
        />
        <SelectField
          label={t('title')}
          value={name()}
          onInput={setName}
          choices={[{ value: '', label: t('log_all_credentials') }, ...names().map((value) => ({ value, label: value }))]}
        />
      </div>
      <PagedRows
        list={list}
        label={t('tab_log')}
        empty={
          <EmptyState title={t(isFiltered() ? 'log_none' : 'log_empty')} text={t(isFiltered() ? 'log_none_text' : 'log_empty_text')} />
        }
      >
        {(entry) => <Line entry={entry} agent={entry.agent_id === null ? undefined : nameOf(entry.agent_id)} />}
      </PagedRows>
    </>
  )
}

const marks: Readonly<Record<Entry['outcome'], MarkName>> = { ok: 'done', refused: 'off', failed: 'fail' }

function Line(props: { readonly entry: Entry; readonly agent: string | undefined }): JSX.Element {
  return (
    <div class="credentials-line">
      <Mark name={marks[props.entry.outcome]} label={t(`log_${props.entry.outcome}`)} />
      <div class="credentials-words">
        <span class="credentials-name">
          <span>{whatText(props.entry)}</span>
          <Show when={props.entry.outcome !== 'ok'}>
            <span class={props.entry.outcome === 'failed' ? 'danger' : 't2'}>{t(`log_${props.entry.outcome}`)}</span>
          </Show>
          <Show when={props.entry.code}>{(code) => <code lang="en">{code()}</code>}</Show>
        </span>
        <p class="credentials-sub">
          <Show when={props.agent}>{(agent) => <bdi>{agent()}</bdi>}</Show>
          <Show when={props.entry.title ?? props.entry.name}>{(title) => <bdi>{title()}</bdi>}</Show>
          <Show when={props.entry.chat_id}>{(id) => <a href={`/chats/${id()}`}>{t('log_chat')}</a>}</Show>
        </p>
      </div>
      <time class="meta" dateTime={props.entry.at} title={momentText(props.entry.at)}>
        {dayTimeText(props.entry.at)}
      </time>
    </div>
  )
}

function whatText({ kind, use, target }: Entry): string {
  if (kind === 'opened' && use !== null && target !== null) return t(`log_opened_${use}`, { target })
  return t(`log_${kind}`)
}
