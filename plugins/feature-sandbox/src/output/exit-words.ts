import type { SandboxExit } from '@agent-service/sdk/contracts/sandbox-driver'

/** `0.4 s`, `12 s`, `3 min 20 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 119.5) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  return whole < 7_200
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}

/** What a process came to, in words for the model. */
export function exitWords({ reason, code, signal, left }: SandboxExit, tookMs: number): string {
  const after = `after ${duration(tookMs)}`
  const how = {
    exit: `Exit code ${code ?? 'unknown'} ${after}.`,
    signal: `Ended by ${signal ?? 'a signal'} ${after}.`,
    killed: `Ended ${after}: the call was cancelled.`,
    timeout: `Ended ${after}: time limit. If it needs longer, give a larger timeout_seconds or run it in the background.`,
    stopped: `Ended ${after}: it was stopped.`,
    output_limit: `Ended ${after}: it wrote too much output. Write to a file instead.`,
    cpu_limit: `Ended ${after}: it used more processor time than this agent may use.`,
    memory_limit: `Ended ${after}: it used more memory than this agent may use.`,
    total_cpu_limit: `Ended ${after}: all processes together used too much processor time, and this one used the most.`,
    total_memory_limit: `Ended ${after}: all processes together used too much memory, and this one used the most.`,
  }[reason]
  return left > 0 ? `${how} ${left} of its processes could not be ended.` : how
}

/** Whether the model should look at it as a failure. */
export const isFailure = ({ reason, code }: SandboxExit): boolean => reason !== 'exit' || code !== 0
