import type { Schemas } from '../api/index.js'
import { t } from './texts.js'

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
