import type { JsonObject } from '@agent-service/sdk'
import { defineCommand } from '@agent-service/sdk/contracts/cli-command'

/** Ends a process with everything that it started. */
export const stopProcessCommand = defineCommand({
  name: 'sandbox stop',
  summary: 'end a process with everything that it started',
  arguments: [{ name: 'process', description: 'the process, as “sandbox processes” lists it', required: true }],
  options: [{ name: 'all', description: 'end a process of any user; for administrators' }],
  async run({ arguments: [id = ''], options, request, print }) {
    const prefix = options['all'] === true ? '/api/admin/sandbox' : '/api/sandbox'
    const process = (await request('POST', `${prefix}/processes/${encodeURIComponent(id)}/stop`)) as JsonObject
    const { reason } = (process['exit'] ?? {}) as JsonObject
    await print(`The process has ended${reason === undefined ? '' : `: ${String(reason)}`}.`)
    return { status: 0, json: process }
  },
})
