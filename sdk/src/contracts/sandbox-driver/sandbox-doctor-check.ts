import { type DoctorCheck, type DoctorFinding, defineDoctorCheck } from '../doctor-check/index.js'
import type { SandboxDriver, SandboxFence, SandboxHealth } from './sandbox-driver.js'

const names = ['files', 'processes', 'network', 'destinations', 'limits'] as const

const labels: Readonly<Record<keyof SandboxHealth['fences'], string>> = {
  files: 'files outside',
  processes: 'processes outside',
  network: 'the network while it is off',
  destinations: 'forbidden addresses while the network is on',
  limits: 'limits',
}

/**
 * The check of `agent-service doctor` for a driver: what confines on this machine and what does
 * not, with the reasons. It finds nothing on operating systems that the driver is not for. The
 * plugin of the driver contributes it beside the driver; `id` is the plugin's.
 *
 * @example
 * const setUp = (context: PluginContext, driver: SandboxDriver): void => {
 *   context.contribute(sandboxDrivers, driver)
 *   context.contribute(doctorChecks, sandboxDoctorCheck(driver, { id: 'sandbox-jails' }))
 * }
 */
export function sandboxDoctorCheck(
  driver: Pick<SandboxDriver, 'id' | 'platforms' | 'health'>,
  { id, platform = process.platform }: { readonly id: string; readonly platform?: string },
): DoctorCheck {
  return defineDoctorCheck({
    id,
    title: 'Sandbox',
    async run(call) {
      if (!driver.platforms.includes(platform)) return { findings: [] }
      const health = await driver.health(call)
      const { confines, mode, fences } = health
      return {
        findings: [summaryOf(health), ...names.map((name) => findingOf(labels[name], fences[name]))],
        json: { driver: driver.id, confines, mode, fences: Object.fromEntries(names.map((name) => [name, { ...fences[name] }])) },
      }
    },
  })
}

const summaryOf = ({ confines, mode }: SandboxHealth): DoctorFinding =>
  confines
    ? { state: 'well', text: `code is confined by ${mode}` }
    : { state: 'warning', text: 'nothing confines code on this machine, so none can run' }

const findingOf = (label: string, { state, by, reason }: SandboxFence): DoctorFinding =>
  state === 'closed'
    ? { state: 'well', text: `${label}: closed by ${by}` }
    : { state: 'warning', text: shortened(`${label}: ${state === 'partial' ? `closed in part by ${by}` : 'open'}. ${reason}`) }

/** Reasons are sentences of a driver, so their length is its own. */
const shortened = (text: string): string => (text.length > 500 ? `${text.slice(0, 499)}…` : text).replaceAll(/\s+/g, ' ')
