import { type CliCommand, defineCommand, objectOf, textOf } from '@agent-service/sdk/contracts/cli-command'
import { agentIdOf } from './words.js'

/** Has something remembered. */
export const addCommand: CliCommand = defineCommand({
  name: 'memory add',
  summary: 'have something remembered',
  arguments: [{ name: 'text', description: 'one sentence that makes sense on its own', required: true }],
  options: [
    { name: 'agent', description: 'only for this agent, by its handle', value: 'handle' },
    { name: 'pin', description: 'keep it in prompts for good' },
    { name: 'allow-secret', description: 'store it although it looks like a password, a key or the number of a card' },
  ],
  async run({ arguments: [text = ''], options, request, print, warn }) {
    const { agent, pin, 'allow-secret': allowSecret } = options
    const agentId = typeof agent === 'string' ? await agentIdOf(request, agent) : undefined
    if (typeof agent === 'string' && agentId === undefined) {
      await warn(`You have no agent “${agent}”.`, { style: 'red' })
      return { status: 1 }
    }
    const scope = agentId === undefined ? { kind: 'user' } : { kind: 'agent', agent_id: agentId }
    const added = objectOf(
      await request('POST', '/api/memory', { text, scope, pinned: pin === true, ...(allowSecret === true && { allow_secret: true }) }),
    )
    await print(`Remembered as ${textOf(added['id'])}.`)
    return { status: 0, json: added }
  },
})

/** Forgets a memory. */
export const forgetCommand: CliCommand = defineCommand({
  name: 'memory forget',
  summary: 'forget something, so that it is not learnt again',
  arguments: [{ name: 'id', description: 'as “memory list” shows it', required: true }],
  async run({ arguments: [id = ''], request, print }) {
    await request('DELETE', `/api/memory/${encodeURIComponent(id)}`)
    await print('Forgotten.')
    return { status: 0, json: { id, forgotten: true } }
  },
})
