import { Mark, type MarkName, momentText, timeText } from '@agent-service/sdk/web'
import { VirtualRows } from '@agent-service/sdk/web/lists'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../../../api/index.js'
import { markOf, type State } from '../common/task.js'
import { t } from '../common/texts.js'

type Entry = Schemas['TaskLogEntry']

/** What happened in a run, line by line. The texts are the service's and the agent's. */
export function RunLog(props: { readonly entries: readonly Entry[]; readonly attempts: number }): JSX.Element {
  return (
    <VirtualRows items={props.entries} label={t('log')} text={({ at, text }) => `${clock(at)} ${text}`} rowHeight={33} class="tasks-log">
      {(entry) => (
        <>
          <Mark name={markOfEntry(entry)} label={kindText(entry.kind)} />
          <time class="meta" datetime={entry.at} title={momentText(entry.at)}>
            {clock(entry.at)}
          </time>
          <EntryText entry={entry} />
          <Show when={props.attempts > 1 && entry.attempt !== undefined}>
            <span class="meta">{t('attempt', { number: entry.attempt ?? 1 })}</span>
          </Show>
        </>
      )}
    </VirtualRows>
  )
}

/** A change of state in the language of the console, with the service's note behind it. */
function EntryText(props: { readonly entry: Entry }): JSX.Element {
  const parts = (): { readonly state: State; readonly note: string } | undefined => {
    const [, state = '', note = ''] = /^(\w+)(?:: (.*))?$/s.exec(props.entry.text) ?? []
    return props.entry.kind === 'state' && isState(state) ? { state, note } : undefined
  }
  return (
    <Show
      when={parts()}
      fallback={
        <span class="tasks-said" lang={props.entry.kind === 'message' ? undefined : 'en'}>
          {props.entry.text}
        </span>
      }
    >
      {(found) => (
        <span class="tasks-said">
          {t(found().state)}
          <Show when={found().note}>
            {(note) => (
              <>
                {'. '}
                <bdi lang="en">{note()}</bdi>
              </>
            )}
          </Show>
        </span>
      )}
    </Show>
  )
}

const states: readonly string[] = ['queued', 'starting', 'running', 'waiting', 'completed', 'failed', 'cancelled'] satisfies State[]
const isState = (text: string): text is State => states.includes(text)

function markOfEntry({ kind, text }: Entry): MarkName {
  if (kind === 'error') return 'fail'
  if (kind === 'warning') return 'warn'
  if (kind === 'question') return 'wait'
  const state = text.split(':')[0] ?? ''
  return kind === 'state' && isState(state) && state !== 'running' && state !== 'starting' ? markOf[state] : 'dot'
}

function kindText(kind: string): string {
  if (kind === 'message') return t('log_message')
  if (kind === 'tool') return t('log_tool')
  if (kind === 'question') return t('log_question')
  if (kind === 'warning') return t('warning')
  return kind === 'error' ? t('log_error') : t('log_state')
}

const clock = (at: string): string => timeText(at, { timeStyle: 'medium' })
