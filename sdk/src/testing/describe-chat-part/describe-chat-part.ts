import { strict as assert } from 'node:assert'
import type { ChatPart, ChatPartPlace } from '../../contracts/chat-part/chat-part.js'
import { checkChatPart } from '../../contracts/chat-part/check-chat-part.js'
import type { JsonValue } from '../../core/json.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { assertPlainData, endsWithin } from '../within-limit.js'

/** A part with its store. */
export interface ChatPartUnderTest {
  /** The part. */
  readonly part: ChatPart
  /** Keeps something about a chat, as the plugin would. */
  fill(chat: ChatPartPlace): Promise<void>
  /** Whether anything is kept about a chat. */
  isKept(chat: ChatPartPlace): Promise<boolean>
}

/** The options of {@link describeChatPart}. */
export interface ChatPartSuiteOptions {
  /** Stands in the titles. */
  readonly name: string
  /** Makes the part with an empty store. Called for each test anew. */
  create(): ChatPartUnderTest | Promise<ChatPartUnderTest>
  /** Data that the part cannot take in. Default: none is tried. */
  readonly badData?: readonly JsonValue[]
  /** Default: the test framework on the global object. */
  readonly runner?: SuiteRunner
  /** The longest that an aborted call may take to end, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

const one: ChatPartPlace = { chatId: 'chat-1', userId: 'user-1' }
const two: ChatPartPlace = { chatId: 'chat-2', userId: 'user-1' }
const copy: ChatPartPlace = { chatId: 'chat-3', userId: 'user-2' }
const options = { signal: new AbortController().signal }
/** The most that an export may have, in bytes of JSON. */
const maxExportBytes = 4 * 1024 * 1024

/**
 * Every promise of the `chat.part` contract as tests.
 *
 * @example
 * const notes = new Map<string, string>()
 * const part = defineChatPart({
 *   id: 'chat-notes',
 *   title: 'Notes',
 *   export: async ({ chatId }) => notes.get(chatId),
 *   import: async ({ chatId }, data) => void notes.set(chatId, String(data)),
 *   erase: async ({ chatId }) => void notes.delete(chatId),
 * })
 * describeChatPart({
 *   name: 'chat-notes',
 *   create: () => ({
 *     part,
 *     fill: async ({ chatId }) => void notes.set(chatId, 'Buy milk.'),
 *     isKept: async ({ chatId }) => notes.has(chatId),
 *   }),
 * })
 */
export function describeChatPart(suite: ChatPartSuiteOptions): void {
  const runner = suite.runner ?? globalSuiteRunner()
  runner.describe(`chat part ${suite.name}`, () => {
    describeDeclaration(suite, runner)
    describeErasing(suite, runner)
    describeExchange(suite, runner)
  })
}

function describeDeclaration({ create }: ChatPartSuiteOptions, runner: SuiteRunner): void {
  runner.it(soundTitle, async () => assertSound(checkChatPart((await create()).part)))
}

function describeErasing({ create, abortLimitMs = 2_000 }: ChatPartSuiteOptions, runner: SuiteRunner): void {
  runner.it('erases what it keeps about a chat, and nothing of another', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    await fill(two)
    assert.ok((await isKept(one)) && (await isKept(two)), 'fill kept nothing')
    await part.erase(one, options)
    assert.ok(!(await isKept(one)), 'something is left')
    assert.ok(await isKept(two), 'another chat has lost what was kept about it')
  })
  runner.it('erases again, and what never was', async () => {
    const { part, fill, isKept } = await create()
    await part.erase(one, options)
    await fill(one)
    await part.erase(one, options)
    await part.erase(one, options)
    assert.ok(!(await isKept(one)), 'something is left')
  })
  runner.it('erases what an aborted call has left', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    const controller = new AbortController()
    const work = part.erase(one, { signal: controller.signal })
    controller.abort(new Error('stopped'))
    await endsWithin(work, abortLimitMs, 'the erasure was still at work')
    await part.erase(one, options)
    assert.ok(!(await isKept(one)), 'something is left')
  })
}

function describeExchange({ create, badData = [] }: ChatPartSuiteOptions, runner: SuiteRunner): void {
  runner.it('exports nothing where nothing is kept', async () => {
    const { part } = await create()
    assert.equal(await part.export(one, options), undefined)
  })
  runner.it('exports plain data without the ids of chat and user, and changes nothing by it', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    const data = await part.export(one, options)
    assert.ok(data !== undefined, 'the export is empty')
    assertPlainData(data, 'the export')
    const text = JSON.stringify(data)
    assert.ok(Buffer.byteLength(text) <= maxExportBytes, `the export has more than ${maxExportBytes} bytes`)
    for (const id of [one.chatId, one.userId]) assert.ok(!text.includes(id), `the export has the id ${id} in it`)
    assert.deepEqual(await part.export(one, options), data, 'the next export is another')
    assert.ok(await isKept(one), 'nothing is kept any more')
  })
  runner.it('imports what it has exported, for another chat of another user', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    const data = (await part.export(one, options)) ?? null
    const given = structuredClone(data)
    await part.import(copy, given, options)
    assert.deepEqual(given, data, 'the import has changed what it was given')
    assert.ok(await isKept(copy), 'nothing was taken in')
    assert.deepEqual(await part.export(copy, options), data, 'what was taken in is something else')
    await part.erase(copy, options)
    assert.ok(!(await isKept(copy)), 'what was taken in cannot be erased')
    assert.deepEqual(await part.export(one, options), data, 'the first chat has lost something')
  })
  runner.it('refuses data that it cannot take in, and keeps nothing of it', async () => {
    for (const data of badData) {
      const { part, isKept } = await create()
      const outcome = await part.import(one, structuredClone(data), options).then(
        () => 'taken',
        () => 'refused',
      )
      assert.equal(outcome, 'refused', `it has taken in ${JSON.stringify(data).slice(0, 100)}`)
      await part.erase(one, options)
      assert.ok(!(await isKept(one)), 'what is left cannot be erased')
    }
  })
}
