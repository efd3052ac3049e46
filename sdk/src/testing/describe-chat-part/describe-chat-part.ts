import { strict as assert } from 'node:assert'
import type { ChatPart, ChatPartPlace } from '../../contracts/chat-part/chat-part.js'
import { checkChatPart } from '../../contracts/chat-part/check-chat-part.js'
import type { JsonValue } from '../../core/json.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { boundMembers } from '../bound-members.js'
import { pass } from '../event-loop-turns.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, givenInput, type NotApplicable, type UncheckedRules } from '../unchecked-rules.js'
import { assertPlainData, endsWithin } from '../within-limit.js'

/** A part and its store. */
export interface ChatPartUnderTest {
  /** The part. */
  readonly part: ChatPart
  /** Stores data of a chat, as the plugin would. */
  fill(chat: ChatPartPlace): Promise<void>
  /** Whether any data of a chat is stored. */
  isKept(chat: ChatPartPlace): Promise<boolean>
  /**
   * Stores more data of a chat than the part reads or deletes at once: some hundred records. Not applicable
   * to a part with a few records at most. Default: not checked.
   */
  readonly fillMuch?: ((chat: ChatPartPlace) => Promise<void>) | NotApplicable
  /**
   * What is stored of a chat for its user, read past the part, as plain data without the ids of both and
   * without what an import may change. Default: not checked.
   */
  state?(chat: ChatPartPlace): JsonValue | Promise<JsonValue>
  /**
   * Breaks the store: after so many more calls each of its calls fails; `isKept` and `state` go on. Not
   * applicable to a part whose store cannot fail. Default: not checked.
   */
  readonly breakStore?: ((afterCalls: number) => void) | NotApplicable
}

/** The options of {@link describeChatPart}. */
export interface ChatPartSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the part with an empty store. Called for each test. */
  create(): ChatPartUnderTest | Promise<ChatPartUnderTest>
  /**
   * Data that the part must refuse. Not applicable to a part that takes what it understands of any data.
   * Default: not checked.
   */
  readonly badData?: readonly JsonValue[] | NotApplicable
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted call, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

const one: ChatPartPlace = { chatId: 'chat-1', userId: 'user-1' }
const two: ChatPartPlace = { chatId: 'chat-2', userId: 'user-1' }
const copy: ChatPartPlace = { chatId: 'chat-3', userId: 'user-2' }
const otherCopy: ChatPartPlace = { chatId: 'chat-4', userId: 'user-3' }
const options = (): { readonly signal: AbortSignal } => ({ signal: new AbortController().signal })
/** The maximum size of an export, in bytes of JSON. */
const maxExportBytes = 4 * 1024 * 1024
/** Data that a file changed by hand may have. A part takes or refuses them. */
const oddData: readonly JsonValue[] = [null, true, 7, 'text', [], {}, [null], [[]], [{}], { text: null }, { items: [{ id: one.chatId }] }]

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
export function describeChatPart(given: ChatPartSuiteOptions): void {
  const runner = given.runner ?? globalSuiteRunner()
  const suite: ChatPartSuiteOptions = { ...given, create: async () => boundMembers(await given.create()) }
  runner.describe(`chat part ${suite.name}`, () => {
    const unchecked = collectUncheckedRules(runner, `chat part ${suite.name}`)
    if (suite.badData === undefined) unchecked.without('badData', 'data that cannot be imported are refused')
    describeDeclaration(suite, runner, unchecked)
    describeErasing(suite, runner)
    describeExports(suite, runner)
    describeImports(suite, runner)
    describeLimits(suite, runner)
  })
}

function describeDeclaration({ create }: ChatPartSuiteOptions, runner: SuiteRunner, unchecked: UncheckedRules): void {
  runner.it(soundTitle, async () => {
    const { part, fillMuch, state, breakStore } = await create()
    if (fillMuch === undefined) unchecked.without('fillMuch', 'much data of a chat is erased, exported and imported whole')
    if (state === undefined) unchecked.without('state', 'an imported chat has all that was stored of it, and an export changes nothing')
    if (breakStore === undefined) unchecked.without('breakStore', 'a part says so when its store fails')
    assertSound(checkChatPart(part))
  })
}

function describeErasing({ create, abortLimitMs = 2_000 }: ChatPartSuiteOptions, runner: SuiteRunner): void {
  runner.it('erases its data of a chat, and nothing of another', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    await fill(two)
    assert.ok((await isKept(one)) && (await isKept(two)), 'fill stored nothing')
    await part.erase(one, options())
    assert.ok(!(await isKept(one)), 'something is left')
    assert.ok(await isKept(two), 'another chat lost its data')
  })
  runner.it('erases chats at once as if each were alone', async () => {
    const { part, fill, isKept } = await create()
    for (const chat of [one, two, copy]) await fill(chat)
    await Promise.all([part.erase(one, options()), part.erase(copy, options())])
    assert.ok(!(await isKept(one)) && !(await isKept(copy)), 'something is left')
    assert.ok(await isKept(two), 'another chat lost its data')
  })
  runner.it('can erase again, and without data', async () => {
    const { part, fill, isKept } = await create()
    await part.erase(one, options())
    await fill(one)
    await part.erase(one, options())
    await part.erase(one, options())
    assert.ok(!(await isKept(one)), 'something is left')
  })
  runner.it('erases the rest after an aborted call', async () => {
    for (const moment of momentsOfAbort) {
      const { part, fill, isKept } = await create()
      await fill(one)
      await abortAt(moment, (signal) => part.erase(one, { signal }), { limitMs: abortLimitMs, what: 'the erasure' })
      await part.erase(one, options())
      assert.ok(!(await isKept(one)), 'something is left')
    }
  })
}

function describeExports({ create, abortLimitMs = 2_000 }: ChatPartSuiteOptions, runner: SuiteRunner): void {
  runner.it('exports nothing without data', async () => {
    const { part } = await create()
    assert.equal(await part.export(one, options()), undefined)
  })
  runner.it('exports nothing of another chat', async () => {
    for (const [chat, other] of [
      [one, two],
      [two, one],
      [one, copy],
    ] as const) {
      const { part, fill } = await create()
      await fill(other)
      const exported = await Promise.all([part.export(chat, options()), part.export(other, options())])
      assert.equal(exported[0], undefined, 'a chat without data has those of another one')
      await fill(chat)
      const beside = await part.export(chat, options())
      const alone = await create()
      await alone.fill(chat)
      assert.deepEqual(beside, await alone.part.export(chat, options()), 'the export differs beside another chat')
    }
  })
  runner.it('exports plain data without the ids of chat and user, and changes nothing', async () => {
    const { part, fill, isKept, state } = await create()
    await fill(one)
    const before = structuredClone(await state?.(one))
    const data = await part.export(one, options())
    assert.ok(data !== undefined, 'the export is empty')
    assertPlainData(data, 'the export')
    const text = JSON.stringify(data)
    assert.ok(Buffer.byteLength(text) <= maxExportBytes, `the export has more than ${maxExportBytes} bytes`)
    for (const id of [one.chatId, one.userId]) assert.ok(!text.includes(id), `the export contains the id ${id}`)
    assert.deepEqual(await part.export(one, options()), data, 'the next export differs')
    assert.ok(await isKept(one), 'the data is missing after the export')
    assert.deepEqual(await state?.(one), before, 'the stored data differs after the export')
  })
  runner.it('ends an export that is aborted, and exports again', async () => {
    for (const moment of momentsOfAbort) {
      const { part, fill } = await create()
      await fill(one)
      await abortAt(moment, (signal) => part.export(one, { signal }), { limitMs: abortLimitMs, what: 'the export' })
      assert.ok((await part.export(one, options())) !== undefined, 'the next export is empty')
    }
  })
}

function describeImports({ create, badData, abortLimitMs = 2_000 }: ChatPartSuiteOptions, runner: SuiteRunner): void {
  runner.it('imports its export, for another chat of another user', async () => {
    const { part, fill, isKept, state } = await create()
    await fill(one)
    const data = (await part.export(one, options())) ?? null
    const given = structuredClone(data)
    await part.import(copy, given, options())
    assert.deepEqual(given, data, 'the import changed its input')
    assert.ok(await isKept(copy), 'nothing was imported')
    assert.deepEqual(await state?.(copy), await state?.(one), 'what is stored of the imported chat differs')
    assert.deepEqual(await part.export(copy, options()), data, 'the imported data differs')
    await part.erase(copy, options())
    assert.ok(!(await isKept(copy)), 'the imported data cannot be erased')
    assert.deepEqual(await part.export(one, options()), data, 'the first chat lost data')
  })
  runner.it('imports several chats at once as if each were alone', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    const data = (await part.export(one, options())) ?? null
    await Promise.all([copy, otherCopy].map((chat) => part.import(chat, structuredClone(data), options())))
    for (const chat of [copy, otherCopy]) {
      assert.ok(await isKept(chat), 'nothing was imported beside another chat')
      assert.deepEqual(await part.export(chat, options()), data, 'the imported data differs beside another chat')
    }
  })
  runner.it('leaves nothing of an import that was aborted and undone', async () => {
    const { part, fill, isKept } = await create()
    await fill(one)
    const data = (await part.export(one, options())) ?? null
    for (const turns of ['before', 0, 1, 3] as const) {
      const controller = new AbortController()
      if (turns === 'before') controller.abort(new Error('stopped'))
      const work = (async () => part.import(copy, structuredClone(data), { signal: controller.signal }))()
      work.catch(() => undefined)
      if (turns !== 'before') await pass(turns)
      controller.abort(new Error('stopped'))
      await endsWithin(work, abortLimitMs, 'the import was still running')
      await part.erase(copy, options())
      await pass()
      assert.ok(!(await isKept(copy)), 'something is left')
    }
    assert.deepEqual(await part.export(one, options()), data, 'the first chat lost data')
  })
  runner.it('refuses data that it cannot import, and keeps nothing of it', async () => {
    for (const data of givenInput(badData) ?? []) {
      const { part, isKept } = await create()
      assert.equal(await importOutcome(part, data), 'refused', `it accepted ${JSON.stringify(data).slice(0, 100)}`)
      await part.erase(one, options())
      assert.ok(!(await isKept(one)), 'the remaining data cannot be erased')
    }
  })
  runner.it('takes or refuses data that were changed by hand, for no other chat, and can be undone', async () => {
    for (const data of oddData) {
      const { part, fill, isKept } = await create()
      await fill(one)
      const before = await part.export(one, options())
      await importOutcome(part, data, copy)
      await part.erase(copy, options())
      const what = `after an import of ${JSON.stringify(data)}`
      assert.ok(!(await isKept(copy)), `something is left ${what}`)
      assert.deepEqual(await part.export(one, options()), before, `another chat has other data ${what}`)
    }
  })
}

const importOutcome = (part: ChatPart, data: JsonValue, chat = one): Promise<'taken' | 'refused'> =>
  part.import(chat, structuredClone(data), options()).then(
    () => 'taken',
    () => 'refused',
  )

/** Rules for more data than usual, and for a store that fails. */
function describeLimits({ create }: ChatPartSuiteOptions, runner: SuiteRunner): void {
  runner.it('erases, exports and imports much data of a chat whole', async () => {
    const { part, fillMuch, isKept, state } = await create()
    if (typeof fillMuch !== 'function') return
    await fillMuch(one)
    await fillMuch(two)
    const data = await part.export(one, options())
    assert.ok(data !== undefined, 'the export is empty')
    await part.import(copy, structuredClone(data), options())
    assert.deepEqual(await state?.(copy), await state?.(one), 'what is stored of the imported chat differs')
    assert.deepEqual(await part.export(copy, options()), data, 'the imported data differs')
    for (const chat of [one, copy]) {
      await part.erase(chat, options())
      assert.ok(!(await isKept(chat)), 'something is left')
    }
    assert.ok(await isKept(two), 'another chat lost its data')
  })
  for (const member of ['erase', 'export', 'import'] as const)
    runner.it(`says so when its store fails, at once or in between: ${member}`, async () => {
      for (const afterCalls of [0, 1, 2, 3, 5]) {
        const { part, fill, isKept, breakStore } = await create()
        if (typeof breakStore !== 'function') return
        await fill(one)
        const data = (await part.export(one, options())) ?? null
        breakStore(afterCalls)
        const work = member === 'import' ? part.import(copy, structuredClone(data), options()) : part[member](one, options())
        const outcome = await work.then(
          (answer) => ({ answer }),
          () => undefined,
        )
        if (outcome === undefined) continue
        const what = `${member} ended well, after ${afterCalls} calls of its store that worked,`
        if (member === 'erase') assert.ok(!(await isKept(one)), `${what} and something is left`)
        if (member === 'import') assert.ok(await isKept(copy), `${what} and nothing is stored`)
        if (member === 'export') assert.deepEqual(outcome.answer, data, `${what} and the export is another one`)
      }
    })
}
