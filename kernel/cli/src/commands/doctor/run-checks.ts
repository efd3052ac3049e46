import { createSystemClock } from '@agent-service/kernel-core/clock'
import type { Redactor } from '@agent-service/kernel-core/log'
import type { JsonValue } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import {
  checkDoctorReport,
  type DoctorCheck,
  type DoctorFinding,
  type DoctorReport,
  doctorChecks,
} from '@agent-service/sdk/contracts/doctor-check'
import type { Prepared } from '../../composition/prepare.js'
import { type Line, styled } from '../../terminal/terminal.js'
import { visibleLine } from '../../terminal/visible-text.js'
import { contributorsOf, type OwnedContribution, startContributors } from '../plugin-commands/contributors.js'

const checkLimitMs = 15_000

/** What the check of a plugin found. */
export interface CheckFindings {
  readonly id: string
  readonly title: string
  readonly findings: readonly DoctorFinding[]
  readonly json?: JsonValue
}

/** Runs the checks of the enabled plugins, all at once, in the order of their ids. */
export async function runChecks(prepared: Prepared): Promise<readonly CheckFindings[]> {
  const plugins = await startContributors(doctorChecks, contributorsOf(prepared, createSystemClock()))
  try {
    const work = plugins.contributions.map((check) => plugins.faults.run(check.pluginId, async () => runCheck(check, prepared.redactor)))
    const known = new Set(prepared.discovered.flatMap((plugin) => (plugin.status === 'invalid' ? [plugin.id] : [])))
    return [
      ...(await Promise.all(work)).filter(({ findings }) => findings.length > 0),
      // Doctor reports the plugins that cannot be read by themselves.
      ...plugins.missing.filter(({ pluginId }) => !known.has(pluginId)).map(({ pluginId, reason }) => failed(pluginId, pluginId, reason)),
    ]
  } finally {
    await plugins.stop()
  }
}

async function runCheck({ value, pluginId }: OwnedContribution<DoctorCheck>, redactor: Redactor): Promise<CheckFindings> {
  const { id, title } = value
  try {
    const report: DoctorReport = await withTimeLimit((signal) => value.run({ signal }), {
      what: `the check of ${pluginId}`,
      limitMs: checkLimitMs,
    })
    const [problem] = checkDoctorReport(report)
    if (problem) throw new Error(`the plugin broke its contract: ${problem.path} ${problem.message}`)
    const findings = report.findings.map((finding) => ({ ...finding, text: redactor.text(finding.text) }))
    return { id, title, findings, ...(report.json === undefined ? {} : { json: report.json }) }
  } catch (error) {
    return failed(id, title, redactor.text(error instanceof Error ? error.message : String(error)))
  }
}

/** Of a check that could not be made. */
export const failed = (id: string, title: string, reason: string): CheckFindings => ({
  ...{ id, title },
  findings: [{ state: 'failed', text: `could not be checked: ${reason}` }],
})

const titleWidth = 15

/** The findings for people: the first beside its title, the others below. */
export function linesOfCheck({ title, findings }: CheckFindings): readonly Line[] {
  return findings.map(({ state, text }, index) => {
    const line = visibleLine(index === 0 ? `${title.padEnd(titleWidth)}${text}` : `  ${text}`)
    return state === 'well' ? line : styled(state === 'failed' ? 'red' : 'yellow', line)
  })
}
