import type { JSX } from 'solid-js'
import type { Schemas } from '../../api/types.js'
import { StateBadge } from '../../ui/badge.js'
import type { MarkName } from '../../ui/mark.js'
import { t } from './texts.js'

type Process = Schemas['SandboxProcess']

/** `ended with code 0` and the other ways in which a process ends. */
export function exitText({ reason, code, signal }: Schemas['SandboxExit']): string {
  if (reason === 'exit') return t('exit_code', { code: code ?? 0 })
  if (reason === 'signal' || reason === 'killed') return t('exit_signal', { signal: signal ?? 'SIGKILL' })
  if (reason === 'stopped') return t('exit_stopped')
  if (reason === 'timeout') return t('exit_timeout')
  if (reason === 'output_limit') return t('exit_output')
  if (reason === 'cpu_limit' || reason === 'total_cpu_limit') return t('exit_cpu')
  if (reason === 'memory_limit' || reason === 'total_memory_limit') return t('exit_memory')
  return t('exit_other', { reason })
}

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
