import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeFolder } from '../support/service-process.js'
import { type BenchChild, startChild } from './child.js'
import { type Figure, median } from './figures.js'
import { createLeanHttp, type LeanHttp } from './lean-http.js'
import { costOfTree } from './process-tree.js'
import { openAccount, type ServiceAccount } from './service-account.js'
import { startService } from './service-child.js'

const messagesOfTurn = 10
/** Four tool calls, one after the other: with the message, the results and the answer that makes ten messages. */
const filling = 'Look 4 times at the clock.'
const question = 'What time is it?'
const longMessages = 5_000
const shortMessages = 50
const shortChats = 20
const rounds = 20
const openingsOfRound = 25
const turnsOfRound = 4
const aim = 1.25
/** The smaller holds less than a short chat has, so that the model is shown as much of either; the larger is what a model has by default. */
const windows = [6_000, 128_000]

interface Chats {
  readonly long: string
  readonly short: readonly string[]
}

/** Opening and continuing a chat of 5,000 messages beside chats of 50 of the same person, in turns: time as a client sees it, and the processor's. */
export async function benchLongChats(print: (line: string) => void): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-long-'))
  const upstream = await startChild('./turns-upstream.js')
  const http = createLeanHttp()
  const figures: Figure[] = []
  let chats: Chats | undefined
  try {
    for (const window of windows) {
      const environment = { SERVICE_MODELS__PRIMARY__CONTEXT_WINDOW: String(window) }
      const service = await startService({ folder, upstream: upstream.url, environment })
      try {
        const account = await openAccount(http, service.url, 'ada')
        if (!chats) {
          print(`  filling a chat with ${longMessages.toLocaleString('en-US')} messages and ${shortChats} with ${shortMessages}`)
          chats = await fillChats(account)
          await expectLength(http, service.url, account, chats.long, longMessages)
          figures.push(...(await benchOpening({ http, service, account, chats })))
        }
        figures.push(...(await benchTurn({ service, account, chats }, window)))
        account.close()
      } finally {
        await service.stop()
      }
    }
    return figures
  } finally {
    http.close()
    await upstream.stop()
    await removeFolder(folder)
  }
}

/** Turn by turn, as a person would; nothing is written past the service. */
async function fillChats(account: ServiceAccount): Promise<Chats> {
  const fill = async (messages: number): Promise<string> => {
    const chatId = await account.newChat()
    for (let count = 0; count < messages; count += messagesOfTurn) await account.turn(chatId, filling)
    return chatId
  }
  const short: string[] = []
  while (short.length < shortChats) short.push(await fill(shortMessages))
  return { short, long: await fill(longMessages) }
}

async function expectLength(http: LeanHttp, url: string, { token }: ServiceAccount, chatId: string, expected: number): Promise<void> {
  const { text } = await http.send('GET', `${url}/api/chats/${chatId}`, { token })
  const count = (JSON.parse(text) as { readonly message_count: number }).message_count
  if (count !== expected) throw new Error(`The chat has ${count} messages, not ${expected}.`)
}

/** The chat and the first page of its messages. */
async function benchOpening(place: {
  readonly http: LeanHttp
  readonly service: BenchChild
  readonly account: ServiceAccount
  readonly chats: Chats
}): Promise<readonly Figure[]> {
  const { http, service, account, chats } = place
  const open = async (chatId: string): Promise<void> => {
    for (const what of ['', '/messages']) {
      const { status, text } = await http.send('GET', `${service.url}/api/chats/${chatId}${what}`, { token: account.token })
      if (status !== 200) throw new Error(`Opening a chat answered ${status}: ${text}`)
    }
  }
  return inTurns({ service, chats, work: open, each: openingsOfRound, what: 'opening' })
}

const benchTurn = (
  { service, account, chats }: { readonly service: BenchChild; readonly account: ServiceAccount; readonly chats: Chats },
  window: number,
): Promise<readonly Figure[]> => {
  const what = `a turn, window of ${window.toLocaleString('en-US')} tokens`
  return inTurns({ service, chats, work: (chatId) => account.turn(chatId, question), each: turnsOfRound, what })
}

/** So many on each side, side after side, round after round. */
async function inTurns(options: {
  readonly service: BenchChild
  readonly chats: Chats
  readonly work: (chatId: string) => Promise<void>
  readonly each: number
  readonly what: string
}): Promise<readonly Figure[]> {
  const { service, chats, work, each, what } = options
  const long = { times: [] as number[], cpu: [] as number[] }
  const short = { times: [] as number[], cpu: [] as number[] }
  let next = 0
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of [long, short]) {
      const times: number[] = []
      const before = await costOfTree(service.process)
      for (let count = 0; count < each; count += 1) {
        next += 1
        const chatId = side === long ? chats.long : (chats.short[next % chats.short.length] ?? '')
        const began = performance.now()
        await work(chatId)
        times.push(performance.now() - began)
      }
      const { cpuMs } = await costOfTree(service.process)
      // The first round warms both.
      if (round === 0) continue
      side.times.push(...times)
      side.cpu.push((cpuMs - before.cpuMs) / each)
    }
  }
  const beside = (kind: string, ofLong: number, ofShort: number): Figure => ({
    what: `${what}: ${kind}`,
    ours: ofLong,
    unit: 'ms',
    baseline: { name: 'a chat of 50', value: ofShort },
    aim: { text: `at most ${aim} times`, met: ofLong / ofShort <= aim },
  })
  return [beside('time', median(long.times), median(short.times)), beside('processor time', median(long.cpu), median(short.cpu))]
}
