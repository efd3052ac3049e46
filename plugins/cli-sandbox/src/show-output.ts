import type { JsonObject } from '@agent-service/sdk'
import { defineCommand } from '@agent-service/sdk/contracts/cli-command'

/** Shows what a process has written so far. */
export const showOutputCommand = defineCommand({
  name: 'sandbox output',
  summary: 'show what a process has written, of which the service keeps the last mebibyte',
  arguments: [{ name: 'process', description: 'the process, as “sandbox processes” lists it', required: true }],
  async run({ arguments: [id = ''], request, write, warn }) {
    const path = `/api/sandbox/processes/${encodeURIComponent(id)}/output`
    const pieces: JsonObject[] = []
    let from = 0
    let isSkipped = false
    for (;;) {
      const page = (await request('GET', `${path}?from=${from}`)) as JsonObject
      const written = page['pieces'] as readonly JsonObject[]
      for (const item of written) await write(String(item['text']))
      pieces.push(...written)
      isSkipped ||= page['skipped'] === true
      from = Number(page['next_from'])
      if (written.length === 0) break
    }
    if (isSkipped) await warn('The beginning is no longer kept.', { style: 'yellow' })
    return { status: 0, json: { pieces, next_from: from, skipped: isSkipped } }
  },
})
