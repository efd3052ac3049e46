import type { PluginSources } from './plugin-sources.js'

/** A check for a program. */
export const doctorCheckSources = (id: string): PluginSources => ({
  index: indexText(id),
  test: testText,
})

const indexText = (id: string): string => `import { access, constants } from 'node:fs/promises'
import { definePlugin, Type } from '@agent-service/sdk'
import { defineDoctorCheck, doctorChecks } from '@agent-service/sdk/contracts/doctor-check'

export const createCheck = (program: string) =>
  defineDoctorCheck({
    id: '${id}',
    title: 'Programs',
    async run({ signal }) {
      signal.throwIfAborted()
      try {
        await access(program, constants.X_OK)
        return { findings: [{ state: 'well', text: \`\${program} is here\` }] }
      } catch {
        return { findings: [{ state: 'warning', text: \`\${program} is missing or may not be run: install it\` }] }
      }
    },
  })

export default definePlugin({
  manifest: {
    id: '${id}',
    apiVersion: 1,
    contributes: ['doctor.check'],
    config: Type.Object({ program: Type.String({ default: '/bin/sh' }) }),
  },
  setup: (context) => context.contribute(doctorChecks, createCheck(context.config.program)),
})
`

const testText = `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { createTestContext, describeDoctorCheck } from '@agent-service/sdk/testing'
import plugin, { createCheck } from './index.js'

// Every rule of the contract.
describeDoctorCheck({
  name: 'programs',
  create: () => createCheck(process.execPath),
  broken: () => createCheck('/nowhere/program'),
  secrets: 'not applicable',
  state: 'not applicable',
  runner,
})

runner.it('warns of the program that the settings name', async () => {
  const test = createTestContext(plugin, { config: { program: '/nowhere/program' } })
  await test.setup()
  const report = await test.contributed(doctorChecks)[0]?.run({ signal: new AbortController().signal })
  assert.deepEqual(report?.findings, [{ state: 'warning', text: '/nowhere/program is missing or may not be run: install it' }])
  await test.dispose()
})
`
