import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { type CommandTextStyle, defineCommand } from '@agent-service/sdk/contracts/cli-command'

const ways: readonly (readonly [name: string, title: string])[] = [
  ['files', 'files outside'],
  ['processes', 'processes outside'],
  ['network', 'network while off'],
  ['destinations', 'forbidden addresses'],
  ['limits', 'limits'],
]

const objectOf = (value: JsonValue | undefined): JsonObject => (typeof value === 'object' && value !== null ? (value as JsonObject) : {})

/** Shows what confines on the machine of the service, and what does not. */
export const showStatusCommand = defineCommand({
  name: 'sandbox status',
  summary: 'show what confines the code of agents on the machine of the service, and what does not',
  async run({ request, print, table, warn }) {
    const sandbox = objectOf(await request('GET', '/api/sandbox'))
    await print(...summaryOf(sandbox))
    const fences = objectOf(sandbox['fences'])
    await table([
      ['WAY OUT', 'STATE', 'BY', 'REASON'],
      ...ways.map(([name, title]) => {
        const { state, by, reason } = objectOf(fences[name])
        return [title, String(state ?? ''), String(by ?? ''), String(reason ?? '')]
      }),
    ])
    const limits = objectOf(sandbox['limits'])
    await print(
      `Of an agent: ${percent(limits['max_cpu_pct'])} of the processors, ${percent(limits['max_memory_pct'])} of the memory. ` +
        `Of all together: ${percent(limits['max_total_cpu_pct'])} and ${percent(limits['max_total_memory_pct'])}.`,
    )
    if (sandbox['disabled'] === true)
      await warn('sandbox.disabled is true: agents can read and change all files of the service’s user.', { style: 'red' })
    return { status: 0, json: sandbox }
  },
})

const percent = (value: JsonValue | undefined): string => `${String(value ?? '?')} %`

function summaryOf({ confines, mode, driver }: JsonObject): readonly [string, { readonly style: CommandTextStyle }] {
  return confines === true
    ? [`Code is confined by ${String(mode)} (driver ${String(driver)}).`, { style: 'green' }]
    : ['Nothing confines code on this machine, so none can run.', { style: 'red' }]
}
