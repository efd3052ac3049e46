import { strict as assert } from 'node:assert'
import type { ChatPart, ChatPartPlace } from '../../contracts/chat-part/chat-part.js'
import { checkChatPart } from '../../contracts/chat-part/check-chat-part.js'
import type { JsonValue } from '../../core/json.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { pass } from '../event-loop-turns.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import { assertPlainData, endsWithin } from '../within-limit.js'

/** A part and its store. */
export interface ChatPartUnderTest {
  /** The part. */
  readonly part: ChatPart
  /** Stores data of a chat, as the plugin would. */
  fill(chat: ChatPartPlace): Promise<void>
  /** Whether any data of a chat is stored. */
  isKept(chat: ChatPartPlace): Promise<boolean>
}

/** The options of {@link describeChatPart}. */
export interface ChatPartSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the part with an empty store. Called for each test. */
  create(): ChatPartUnderTest | Promise<ChatPartUnderTest>
  /** Data that the part must refuse. Default: none. */
  readonly badData?: readonly JsonValue[]
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted call, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

const one: ChatPartPlace = { chatId: 'chat-1', userId: 'user-1' }
const two: ChatPartPlace = { chatId: 'chat-2', userId: 'user-1' }
const copy: ChatPartPlace = { chatId: 'chat-3', userId: 'user-2' }
const options = { signal: new AbortController().signal }
/** The maximum size of an export, in bytes of JSON. */
const maxExportBytes = 4 * 1024 * 1024

/**
 * Tests every rule of the `chat.part` contract.
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
    const unchecked = collectUncheckedRules(runner, `chat part ${suite.name}`)
    if (suite.badData === undefined) unchecked.without('badData', 'data that cannot be imported are refused')
    describeDeclaration(suite, runner)
    describeErasing(suite, runner)
    describeExchange(suite, runner)
  })
}

function describeDeclaration({ create }: ChatPartSuiteOptions, runner: SuiteRunner): void {
  runner.it(soundTitle, async () => assertSound(checkChatPart((await create()).part)))
}

function describeErasing({ create, abortLimitMs = 2_000 }: ChatPartSuiteOptions, runner: SuiteRunner): void {
  runner.it('erases its data of a chat, and nothing of another', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    await fill(two)
    assert.ok((await isKept(one)) && (await isKept(two)), 'fill stored nothing')
    await part.erase(one, options)
    assert.ok(!(await isKept(one)), 'something is left')
    assert.ok(await isKept(two), 'another chat lost its data')
  })
  runner.it('can erase again, and without data', async () => {
    const { part, fill, isKept } = await create()
    await part.erase(one, options)
    await fill(one)
    await part.erase(one, options)
    await part.erase(one, options)
    assert.ok(!(await isKept(one)), 'something is left')
  })
  runner.it('erases the rest after an aborted call', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    const controller = new AbortController()
    const work = part.erase(one, { signal: controller.signal })
    controller.abort(new Error('stopped'))
    await endsWithin(work, abortLimitMs, 'the erasure was still running')
    await part.erase(one, options)
    assert.ok(!(await isKept(one)), 'something is left')
  })
}

function describeExchange({ create, badData = [], abortLimitMs = 2_000 }: ChatPartSuiteOptions, runner: SuiteRunner): void {
  runner.it('exports nothing without data', async () => {
    const { part } = await create()
    assert.equal(await part.export(one, options), undefined)
  })
  runner.it('exports nothing of another chat', async () => {
    const { part, fill } = await create()
    await fill(two)
    assert.equal(await part.export(one, options), undefined, 'a chat without data has those of another one')
    await fill(one)
    const beside = await part.export(one, options)
    const alone = await create()
    await alone.fill(one)
    assert.deepEqual(beside, await alone.part.export(one, options), 'the export differs beside another chat')
  })
  runner.it('leaves nothing of an import that was aborted and undone', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    const data = (await part.export(one, options)) ?? null
    for (const turns of [0, 1, 3]) {
      const controller = new AbortController()
      const work = part.import(copy, structuredClone(data), { signal: controller.signal })
      work.catch(() => undefined)
      await pass(turns)
      controller.abort(new Error('stopped'))
      await endsWithin(work, abortLimitMs, 'the import was still running')
      await part.erase(copy, options)
      await pass()
      assert.ok(!(await isKept(copy)), 'something is left')
    }
    assert.deepEqual(await part.export(one, options), data, 'the first chat lost data')
  })
  runner.it('exports plain data without the ids of chat and user, and changes nothing', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    const data = await part.export(one, options)
    assert.ok(data !== undefined, 'the export is empty')
    assertPlainData(data, 'the export')
    const text = JSON.stringify(data)
    assert.ok(Buffer.byteLength(text) <= maxExportBytes, `the export has more than ${maxExportBytes} bytes`)
    for (const id of [one.chatId, one.userId]) assert.ok(!text.includes(id), `the export contains the id ${id}`)
    assert.deepEqual(await part.export(one, options), data, 'the next export differs')
    assert.ok(await isKept(one), 'the data is missing after the export')
  })
  runner.it('imports its export, for another chat of another user', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    const data = (await part.export(one, options)) ?? null
    const given = structuredClone(data)
    await part.import(copy, given, options)
    assert.deepEqual(given, data, 'the import changed its input')
    assert.ok(await isKept(copy), 'nothing was imported')
    assert.deepEqual(await part.export(copy, options), data, 'the imported data differs')
    await part.erase(copy, options)
    assert.ok(!(await isKept(copy)), 'the imported data cannot be erased')
    assert.deepEqual(await part.export(one, options), data, 'the first chat lost data')
  })
  runner.it('refuses data that it cannot import, and keeps nothing of it', async () => {
    for (const data of badData) {
      const { part, isKept } = await create()
      const outcome = await part.import(one, structuredClone(data), options).then(
        () => 'taken',
        () => 'refused',
      )
      assert.equal(outcome, 'refused', `it accepted ${JSON.stringify(data).slice(0, 100)}`)
      await part.erase(one, options)
      assert.ok(!(await isKept(one)), 'the remaining data cannot be erased')
    }
  })
}
