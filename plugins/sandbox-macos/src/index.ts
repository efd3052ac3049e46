import { definePlugin, type Plugin } from '@agent-service/sdk'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { sandboxDoctorCheck, sandboxDrivers } from '@agent-service/sdk/contracts/sandbox-driver'
import { createMacosDriver } from './macos-driver.js'

/** Confined processes on macOS. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'sandbox-macos',
    apiVersion: 1,
    description: 'Confines the processes of agents on macOS, by sandbox-exec.',
    contributes: ['sandbox.driver', 'doctor.check'],
    permissions: [{ kind: 'process', reason: 'Starts, measures and ends the processes of agents.' }],
  },
  setup(context) {
    const { driver, close } = createMacosDriver()
    context.onDispose(close)
    context.contribute(sandboxDrivers, driver)
    context.contribute(doctorChecks, sandboxDoctorCheck(driver, { id: 'sandbox-macos' }))
  },
})
export default plugin
