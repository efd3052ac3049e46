import type { AttackOrder } from './attack-worker.js'
import { type Bystander, signUpBystander } from './bystander.js'
import { type Caller, createCaller } from './caller.js'

const bystanders = 4

/** All accounts of the campaign. */
export interface Setting {
  readonly others: readonly Bystander[]
  readonly order: AttackOrder
  /** An administrator, for the metrics. */
  readonly caller: Caller
  close(): void
}

/** Signs all accounts up, and gives the attacker large data. */
export async function prepare(url: string, setupCode: string, attack: Pick<AttackOrder, 'seed' | 'names' | 'atOnce'>): Promise<Setting> {
  const first = await signUpBystander(url, { name: 'admin', address: '203.0.113.1', setupCode })
  const others: Bystander[] = []
  for (let index = 0; index < bystanders; index += 1)
    others.push((await signUpBystander(url, { name: `bystander-${index}`, address: `198.51.100.${index + 1}` })).bystander)
  const address = '192.0.2.66'
  const worst = await signUpBystander(url, { name: 'worst', address })
  const attacker = createCaller(url, { address, token: worst.token })
  const json = async (method: string, target: string, body?: unknown): Promise<Record<string, unknown>> => {
    const { status, text } = await attacker.call(method, target, body === undefined ? {} : { body })
    if (status >= 300) throw new Error(`${method} ${target} answered ${status}: ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  const { items } = (await json('GET', '/api/agents')) as { readonly items: readonly { readonly id: string }[] }
  await json('PATCH', `/api/agents/${items[0]?.id}`, { tools: ['search_files'], approval: { '*': 'never' } })
  const chatId = String((await json('POST', '/api/chats', {}))['id'])
  for (let time = 0; time < 20; time += 1)
    await json('POST', `/api/chats/${chatId}/messages`, { content: `${time} ${'word '.repeat(10_000)}` })
  const exported = (await attacker.call('GET', `/api/chats/${chatId}/export`)).text
  attacker.close()
  const caller = createCaller(url, { address: '203.0.113.1', token: first.token })
  return {
    others,
    caller,
    order: { url, token: worst.token, address, chatId, exported, ...attack },
    close() {
      for (const each of [...others, first.bystander, worst.bystander, caller]) each.close()
    },
  }
}
