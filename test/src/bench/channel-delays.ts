import { setTimeout as delay } from 'node:timers/promises'
import { startWebhookVendor } from '../campaigns/support/channels/webhook-vendor.js'
import { claimCode } from '../channels/support/claim-code.js'
import { type Api, type EventStream, signUp } from '../support/api.js'
import { startTalkingUpstream, type TalkRequest } from '../support/talking-upstream.js'
import { startService } from './service-child.js'

const people = 10
/** Fewer of each person than a conversation may have in a minute. */
const rounds = 20
const limitMs = 60_000

/** From a message to the first model call that has it, in milliseconds. */
export interface Delays {
  /** It was posted to the webhook of a channel. */
  readonly channel: readonly number[]
  /** It was posted to a chat over HTTP. */
  readonly chat: readonly number[]
}

/** The same turn by both ways, one after the other, so that a change of the machine's speed meets both. */
export async function measureDelays(folder: string): Promise<Delays> {
  const called = new Map<string, (at: number) => void>()
  const upstream = await startTalkingUpstream((request) => {
    const text = textOf(request)
    called.get(text)?.(performance.now())
    called.delete(text)
    return { text: `Re: ${text}` }
  })
  const vendor = await startWebhookVendor()
  const service = await startService({ folder, upstream: upstream.url })
  let stream: EventStream | undefined
  /** The time until the model is called with a text that `post` sends. */
  const timed = (text: string, post: () => unknown): Promise<number> => {
    const began = performance.now()
    const arrived = new Promise<number>((resolve) => called.set(text, resolve))
    post()
    return within(`a model call for “${text}”`, arrived).then((at) => at - began)
  }
  try {
    const api = await signUp(service.url, 'ada')
    stream = await api.stream()
    const webhook = await connectWebhook(api, vendor.members)
    vendor.reach(webhook)
    const got: string[] = []
    const take = (): readonly string[] => {
      got.push(...vendor.take().map(({ text }) => text))
      return got
    }
    for (let person = 0; person < people; person += 1) await pair(api, person, { write: vendor.write, take })
    const chats: string[] = []
    for (let person = 0; person < people; person += 1) chats.push(String((await api.request('POST', '/api/chats', {})).body['id']))
    const overChannel = async (person: number, number: number): Promise<number> => {
      const text = `message ${person}-${number} over the channel`
      const took = await timed(text, () => vendor.write(person, number, text))
      await until(`the answer to “${text}”`, () => take().includes(`Re: ${text}`))
      return took
    }
    const overChat = async (person: number, number: number): Promise<number> => {
      const text = `message ${person}-${number} in the chat`
      const from = stream?.events.length ?? 0
      const took = await timed(text, () => void api.request('POST', `/api/chats/${chats[person]}/messages`, { content: text }))
      await stream?.next(from, ({ name }) => name === 'run.completed' || name === 'run.failed')
      return took
    }
    const delays: { readonly channel: number[]; readonly chat: number[] } = { channel: [], chat: [] }
    for (let round = 1; round <= rounds; round += 1)
      for (let person = 0; person < people; person += 1) {
        const [channel, chat] = [await overChannel(person, round), await overChat(person, round)]
        // The first message of each also makes a title, and finds everything cold.
        if (round === 1) continue
        delays.channel.push(channel)
        delays.chat.push(chat)
      }
    return delays
  } finally {
    stream?.close()
    await service.stop()
    await vendor.close()
    await upstream.close()
  }
}

function textOf({ messages }: TalkRequest): string {
  const content = messages.filter(({ role }) => role === 'user').at(-1)?.content
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return /message \d+-\d+ (?:over the channel|in the chat)/.exec(text)?.[0] ?? 'nothing'
}

async function connectWebhook(api: Api, members: object): Promise<string> {
  const made = await api.request('POST', '/api/admin/channels/connections', { channel: 'webhook', title: 'Bench', members })
  if (made.status !== 201) throw new Error(`The connection was answered with ${made.status}: ${JSON.stringify(made.body)}`)
  const path = `/api/admin/channels/connections/${String(made.body['id'])}`
  await until('a connection', async () => (await api.request('GET', path)).body['state'] === 'connected')
  const address = String((await api.request('GET', path)).body['webhook_url'])
  return `${api.url}${new URL(address).pathname}`
}

/** A person gets a code, which is entered for them. */
async function pair(
  api: Api,
  person: number,
  vendor: { write(person: number, number: number, text: string): void; take(): readonly string[] },
): Promise<void> {
  const before = vendor.take().length
  const text = `message ${person}-0 over the channel`
  vendor.write(person, 0, text)
  const codeOf = (): string | undefined => /Your code is (\w+)/.exec(vendor.take().slice(before).join('\n'))?.[1]
  await until('a code', () => codeOf() !== undefined)
  await claimCode(api, codeOf())
  await until('the first answer', () => vendor.take().includes(`Re: ${text}`))
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const since = Date.now(); !(await isTrue()); await delay(2))
    if (Date.now() - since > limitMs) throw new Error(`There is still not ${what}.`)
}

async function within<Result>(what: string, awaited: Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const late = delay(limitMs, undefined, { signal: over.signal }).then(
    () => {
      throw new Error(`There is still not ${what}.`)
    },
    () => awaited,
  )
  try {
    return await Promise.race([awaited, late])
  } finally {
    over.abort()
  }
}
