import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeFolder } from '../support/service-process.js'
import { type ChatDocument, type ExchangePlace, exportChat, importChat, lengthOf, repeatTurn } from './chat-documents.js'
import { type BenchChild, startChild } from './child.js'
import type { Figure } from './figures.js'
import { createLeanHttp, type LeanHttp } from './lean-http.js'
import { costOfTree } from './process-tree.js'
import { openAccount } from './service-account.js'
import { startService } from './service-child.js'
import { figuresBeside, measureSideBySide, type Side, type SideCost } from './side-by-side.js'

/**
 * Four tool calls, one after the other: with the message, the results and the answer that makes ten
 * messages.
 */
const filling = 'Look 4 times at the clock.'
const messagesOfTurn = 10
/** Of the answer of such a turn, in characters: a message has about a hundred tokens then. */
const answerLength = 3_200
const question = 'What time is it?'
const longMessages = 5_000
const shortMessages = 50
const chatsOfSide = 8
const rounds = 20
const openingsOfRound = 25
const turnsOfRound = 4
const aim = 1.25
/** A model's window and the most of an answer, in tokens. */
interface Window {
  readonly size: number
  readonly answer?: number
}

/**
 * So small that a chat of 50 has its summary as well and the model is shown as much of either; a
 * summary leaves room for all turns that are measured.
 */
const smallWindow: Window = { size: 13_000, answer: 2_500 }
/** What a model has that nothing is said of. */
const usualWindow: Window = { size: 128_000 }

interface Place extends ExchangePlace {
  readonly service: BenchChild
  /** One turn, as the service itself has written it. */
  readonly turn: ChatDocument
}

/**
 * Opening and continuing chats of 5,000 messages beside chats of 50 of the same person: time as a
 * client sees it, and the processor's.
 */
export async function benchLongChats(print: (line: string) => void): Promise<readonly Figure[]> {
  print(
    `  Medians of ${rounds} rounds; in each, every side has ${openingsOfRound} openings or ${turnsOfRound} turns, one side after the other, over ${chatsOfSide} imported chats.`,
  )
  print(
    '  A turn: a message, a tool call, the answer. Where a chat needs a summary, its first turn has made it, which is a figure of its own.',
  )
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-long-'))
  const upstream = await startChild('./turns-upstream.js')
  const http = createLeanHttp()
  const options = { folder, upstream: upstream.url, http }
  try {
    return [...(await withWindow(options, smallWindow, benchSmallWindow)), ...(await withWindow(options, usualWindow, benchUsualWindow))]
  } finally {
    http.close()
    await upstream.stop()
    await removeFolder(folder)
  }
}

async function withWindow(
  { folder, upstream, http }: { readonly folder: string; readonly upstream: string; readonly http: LeanHttp },
  { size, answer }: Window,
  measure: (place: Place) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const environment = {
    SERVICE_MODELS__PRIMARY__CONTEXT_WINDOW: String(size),
    ...(answer === undefined ? {} : { SERVICE_MODELS__PRIMARY__MAX_TOKENS: String(answer) }),
  }
  const service = await startService({ folder, upstream, environment })
  try {
    const account = await openAccount(http, service.url, `ada${size}`)
    const place = { http, url: service.url, account, service }
    const chatId = await account.newChat()
    await account.turn(chatId, filling)
    const turn = await exportChat(place, chatId)
    if (turn.messages.length !== messagesOfTurn) throw new Error(`A turn has ${turn.messages.length} messages, not ${messagesOfTurn}.`)
    const figures = await measure({ ...place, turn })
    account.close()
    return figures
  } finally {
    await service.stop()
  }
}

/** Either side has a summary, and as much behind it. */
async function benchSmallWindow(place: Place): Promise<readonly Figure[]> {
  const long = await importChats(place, 'a chat of 5,000', longMessages)
  const short = await importChats(place, 'a chat of 50', shortMessages)
  const window = nameOf(smallWindow)
  const [opened, openedShort] = await inRounds(place, [long, short], (chatId) => open(place, chatId), openingsOfRound)
  const [first, firstShort] = await firstTurns(place, [long, short])
  const [next, nextShort] = await inRounds(place, [long, short], (chatId) => place.account.turn(chatId, question), turnsOfRound)
  // A turn that had made another one would have been measured with it.
  for (const side of [long, short]) await expectSummaries(place, side, 1)
  return [
    ...figuresBeside('opening at the newest page', opened, openedShort, aim),
    ...figuresBeside(`first turn, makes the summary, ${window}`, first, firstShort),
    ...figuresBeside(`a turn, ${window}`, next, nextShort, aim),
  ]
}

/**
 * Chats of 50 fit many times over, and the summary leaves a model much more to read than they have:
 * beside chats that have no more messages than that; and, without an aim, beside chats of 50, with
 * messages so long that the prompts are equal, and with those of before.
 */
async function benchUsualWindow(place: Place): Promise<readonly Figure[]> {
  const long = await importChats(place, 'a chat of 5,000', longMessages)
  const short = await importChats(place, 'a chat of 50', shortMessages)
  const window = nameOf(usualWindow)
  const [first, firstShort] = await firstTurns(place, [long, short])
  const shown = longMessages - (await expectSummaries(place, long, 1))
  const same = await importChats(place, `a chat of just these ${shown}`, shown)
  const equal = await importChats(place, 'a chat of 50 and as long a prompt', shortMessages, answerFor(place, shown))
  await firstTurns(place, [same, equal])
  const sides = [long, same, equal, short]
  const [next, ...others] = await inRounds(place, sides, (chatId) => place.account.turn(chatId, question), turnsOfRound)
  await expectSummaries(place, long, 1)
  for (const side of [same, equal, short]) await expectSummaries(place, side, 0)
  const needsNone = firstShort && { ...firstShort, name: 'a chat of 50, which needs none' }
  return [
    ...figuresBeside(`first turn, makes the summary, ${window}`, first, needsNone),
    ...others.flatMap((other, index) => figuresBeside(`a turn, ${window}, ${shown} shown`, next, other, index === 0 ? aim : undefined)),
  ]
}

/**
 * How long the answers of a short chat have to be, so that it is as long as so many messages of a
 * long one.
 */
function answerFor({ turn }: Place, messages: number): number {
  const lengthOfTurns = (turns: number): number => lengthOf(repeatTurn(turn, { turns, answer: answerLength }).messages)
  const turns = shortMessages / messagesOfTurn
  return answerLength + Math.round((lengthOfTurns(messages / messagesOfTurn) - lengthOfTurns(turns)) / turns)
}

async function importChats(place: Place, name: string, messages: number, answer = answerLength): Promise<Side> {
  const document = repeatTurn(place.turn, { turns: messages / messagesOfTurn, answer })
  const things: string[] = []
  while (things.length < chatsOfSide) things.push(await importChat(place, document))
  return { name, things }
}

/** The chat and the newest page of its messages, as a client reads them. */
async function open({ http, service, account: { token } }: Place, chatId: string): Promise<void> {
  const get = async (what: string): Promise<string> => {
    const { status, text } = await http.send('GET', `${service.url}/api/chats/${chatId}${what}`, { token })
    if (status !== 200) throw new Error(`Opening a chat answered ${status}: ${text}`)
    return text
  }
  const { message_count } = JSON.parse(await get('')) as { readonly message_count: number }
  await get(`/messages?before=${message_count}`)
}

const inRounds = (
  { service }: Place,
  sides: readonly Side[],
  work: (chatId: string) => Promise<void>,
  each: number,
): Promise<readonly SideCost[]> => measureSideBySide({ sides, work, each, rounds, warm: 1, cpuMs: () => cpuOf(service) })

/** One turn in each chat. */
const firstTurns = ({ service, account }: Place, sides: readonly Side[]): Promise<readonly SideCost[]> =>
  measureSideBySide({
    ...{ sides, each: 1, rounds: chatsOfSide, warm: 0 },
    work: (chatId) => account.turn(chatId, question),
    cpuMs: () => cpuOf(service),
  })

const cpuOf = async ({ process }: BenchChild): Promise<number> => (await costOfTree(process)).cpuMs

/**
 * Gives the sequence of the first message behind the summary of the first chat. @throws where a
 * chat has another number of summaries.
 */
async function expectSummaries({ http, service, account }: Place, { name, things }: Side, expected: number): Promise<number> {
  let until = 0
  for (const chatId of things.toReversed()) {
    const { text } = await http.send('GET', `${service.url}/api/chats/${chatId}/summaries`, { token: account.token })
    const { items } = JSON.parse(text) as { readonly items: readonly { readonly until: number }[] }
    if (items.length !== expected)
      throw new Error(`Of ${name} there are ${items.length} summaries, not ${expected}: choose another window for this bench.`)
    until = items[0]?.until ?? 0
  }
  return until
}

const nameOf = ({ size }: Window): string => `window of ${size.toLocaleString('en-US')}`
