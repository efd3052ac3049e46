import { type MarkName, StateBadge } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import { exitText } from '../../sandbox/exit-text.js'
import { t } from './texts.js'

type Process = Schemas['SandboxProcess']

/** What a process does now, or came to. */
export function ProcessState(props: { readonly process: Pick<Process, 'exit' | 'ended_at'>; readonly stopping: boolean }): JSX.Element {
  const found = (): { readonly mark: MarkName; readonly text: string } => {
    const { exit, ended_at } = props.process
    if (exit !== null) return { mark: markOf(exit), text: exitText(exit) }
    if (ended_at !== null) return { mark: 'off', text: t('ended') }
    return props.stopping ? { mark: 'wait', text: t('stopping') } : { mark: 'run', text: t('running') }
  }
  return <StateBadge mark={found().mark}>{found().text}</StateBadge>
}

function markOf({ reason, code }: Schemas['SandboxExit']): MarkName {
  if (reason === 'exit') return code === 0 ? 'done' : 'fail'
  return reason === 'stopped' ? 'off' : 'fail'
}
