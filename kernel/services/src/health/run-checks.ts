import { setMaxListeners } from 'node:events'
import { withTimeLimit } from '@agent-service/sdk/async'
import { checkDoctorReport, type DoctorFinding, doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import type { Contributions } from '@agent-service/sdk/services/contributions'

const limitMs = 15_000

/** What a check found; `plugin` is null for the service's own. */
export interface CheckResult {
  readonly id: string
  readonly title: string
  readonly plugin: string | null
  readonly findings: readonly DoctorFinding[]
}

/** A check of the service itself, without secrets in its findings. */
export interface OwnCheck {
  readonly id: string
  /** At most 14 characters, as those of plugins. */
  readonly title: string
  run(): Promise<readonly DoctorFinding[]>
}

/** Runs checks; calls while they run share their result. */
export interface HealthChecks {
  run(): Promise<{ readonly at: string; readonly results: readonly CheckResult[] }>
}

/**
 * The checks of `doctor` within the running service: its own first, then those of the active
 * plugins, all at once and each for at most 15 seconds. Those without findings are left out.
 */
export function createHealthChecks(dependencies: {
  readonly contributions: Contributions
  readonly own: readonly OwnCheck[]
  readonly redactor: { text(text: string): string }
  /** Aborted when the service stops. */
  readonly signal: AbortSignal
  readonly now: () => number
}): HealthChecks {
  const { contributions, own, redactor, now } = dependencies
  const signal = AbortSignal.any([dependencies.signal])
  // One listener for each check that runs; Node.js takes more than ten for a leak.
  setMaxListeners(0, signal)
  let running: ReturnType<HealthChecks['run']> | undefined

  const guarded = async (
    check: Omit<CheckResult, 'findings'>,
    work: (signal: AbortSignal) => Promise<readonly DoctorFinding[]>,
  ): Promise<CheckResult> => {
    try {
      const found = await withTimeLimit(work, { limitMs, signal, what: `the check “${check.title}”` })
      return { ...check, findings: found.map(({ state, text }) => ({ state, text: redactor.text(text) })) }
    } catch (error) {
      signal.throwIfAborted()
      const reason = error instanceof Error ? error.message : String(error)
      return { ...check, findings: [{ state: 'failed', text: redactor.text(`could not be checked: ${reason}`) }] }
    }
  }

  const runOf = async (key: string, limited: AbortSignal): Promise<readonly DoctorFinding[]> => {
    const lease = contributions.acquire(doctorChecks, key)
    if (!lease) return []
    try {
      const report = await lease.value.run({ signal: AbortSignal.any([limited, lease.signal]) })
      const [problem] = checkDoctorReport(report)
      if (problem) throw new Error(`the plugin broke its contract: ${problem.path} ${problem.message}`)
      return report.findings
    } finally {
      lease.release()
    }
  }

  const runAll = async (): Promise<{ readonly at: string; readonly results: readonly CheckResult[] }> => {
    const at = new Date(now()).toISOString()
    const results = await Promise.all([
      ...own.map(({ id, title, run }) => guarded({ id, title, plugin: null }, run)),
      ...contributions
        .list(doctorChecks)
        .map(({ key, pluginId, value: { title } }) => guarded({ id: key, title, plugin: pluginId }, (limited) => runOf(key, limited))),
    ])
    return { at, results: results.filter(({ findings }) => findings.length > 0) }
  }

  return {
    run() {
      running ??= runAll().finally(() => {
        running = undefined
      })
      return running
    },
  }
}
