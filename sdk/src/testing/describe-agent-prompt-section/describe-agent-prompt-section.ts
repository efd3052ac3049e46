import { strict as assert } from 'node:assert'
import { checkPromptSection } from '../../contracts/agent-prompt-section/check-prompt-section.js'
import type { AgentPromptSection, PromptSectionContext } from '../../contracts/agent-prompt-section/prompt-section.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, givenInput, type NotApplicable, type UncheckedRules } from '../unchecked-rules.js'
import { withLaterDate } from './later-date.js'

/** One call that the suite makes of the section. */
export interface PromptSectionExample {
  /** Part of the test's title. */
  readonly title: string
  /** Changes to the suite's context. */
  readonly context?: Partial<PromptSectionContext>
  /** The section returns no text. Default false. */
  readonly isEmpty?: boolean
  /** Further checks of the text. */
  check?(text: string): void
}

/** The options of {@link describeAgentPromptSection}. */
export interface PromptSectionSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the section, with the data of the examples. Called for each test. */
  create(): AgentPromptSection | Promise<AgentPromptSection>
  /** At least one of them has a text. */
  readonly examples: readonly PromptSectionExample[]
  /**
   * What is in texts of the examples and no business of another user: another user with the same agent gets
   * none of it, whoever was asked about before or beside. Not applicable to a section without data of users.
   * Default: not checked.
   */
  readonly personal?: readonly string[] | NotApplicable
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted call, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

/** How many characters count as one token. */
const charactersPerToken = 4

/**
 * Tests every rule of the `agent.prompt-section` contract.
 *
 * @example
 * describeAgentPromptSection({
 *   name: 'house-rules',
 *   create: createSection,
 *   examples: [{ title: 'any chat', check: (text) => assert.match(text, /plain words/) }],
 * })
 */
export function describeAgentPromptSection(options: PromptSectionSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`prompt section ${options.name}`, () => {
    const unchecked = collectUncheckedRules(runner, `prompt section ${options.name}`)
    if (options.personal === undefined) unchecked.without('personal', 'the prompt of another user has nothing of a user')
    describeDeclaration(options, runner, unchecked)
    for (const example of options.examples) describeExample(options, example, runner)
  })
}

function describeDeclaration(options: PromptSectionSuiteOptions, runner: SuiteRunner, unchecked: UncheckedRules): void {
  const { create, examples } = options
  runner.it(soundTitle, async () => assertSound(checkPromptSection(await create())))
  runner.it('has an example with a text', () => {
    assert.ok(
      examples.some(({ isEmpty }) => isEmpty !== true),
      'none of the examples has a text',
    )
  })
  runner.it('stays within its limit of tokens, where there is more to say', async () => {
    const section = await create()
    const texts = await Promise.all(examples.map((example) => ask(section, contextOf(section, example))))
    const isLong = texts.some((text = '') => text.length > fewerTokens(section) * charactersPerToken)
    if (!isLong)
      unchecked.without('an example whose text takes more than a quarter of maxTokens', 'a text becomes shorter with fewer tokens')
  })
  runner.it('has nothing personal in the prompt of another user', async () => {
    const personal = givenInput(options.personal) ?? []
    const section = await create()
    const stranger = { userId: 'stranger', chatId: 'chat-of-stranger', spaceId: null, runId: 'run-of-stranger' }
    // A section may not know the user at all, and throw.
    const textOfStranger = async (example: PromptSectionExample): Promise<string> =>
      (await ask(section, { ...contextOf(section, example), ...stranger }).catch(() => undefined)) ?? ''
    const own = await Promise.all(examples.map((example) => ask(section, contextOf(section, example))))
    for (const text of personal) assert.ok(own.join('\n').includes(text), `“${text}” is personal, and no text of the examples has it`)
    for (const example of examples) {
      const after = await textOfStranger(example)
      const [, beside] = await Promise.all([ask(section, contextOf(section, example)), textOfStranger(example)])
      for (const text of personal) assert.ok(![after, beside].join('\n').includes(text), `another user’s prompt has “${text}”`)
    }
  })
}

/** As a section is asked for where the model's window is small. */
const fewerTokens = ({ maxTokens }: AgentPromptSection): number => Math.max(1, Math.floor(maxTokens / 4))

function describeExample(options: PromptSectionSuiteOptions, example: PromptSectionExample, runner: SuiteRunner): void {
  const { create } = options
  runner.it(`answers: ${example.title}`, async () => {
    const section = await create()
    assertExpected((await ask(section, contextOf(section, example))) ?? '', example)
  })
  runner.it(`stays within its limit of tokens: ${example.title}`, async () => {
    const section = await create()
    for (const maxTokens of [section.maxTokens, fewerTokens(section)]) {
      const text = (await ask(section, { ...contextOf(section, example), maxTokens })) ?? ''
      const most = maxTokens * charactersPerToken
      assert.ok(text.length <= most, `${text.length} characters for ${maxTokens} tokens; expected at most ${most}`)
    }
  })
  runner.it(`has no half of a character where it is cut: ${example.title}`, async () => {
    const section = await create()
    for (let maxTokens = section.maxTokens; maxTokens >= 1; maxTokens = Math.floor(maxTokens / 2)) {
      const text = (await ask(section, { ...contextOf(section, example), maxTokens })) ?? ''
      assert.doesNotMatch(text, /\p{Surrogate}/u, `with ${maxTokens} tokens, a character is cut in half`)
    }
  })
  runner.it(`answers each context by itself, whatever was asked before or beside it: ${example.title}`, async () => {
    const fresh = await create()
    const wanted = await ask(fresh, contextOf(fresh, example))
    const section = await create()
    const others = options.examples.map((other) => contextOf(section, other))
    for (const context of others) await ask(section, { ...context, maxTokens: fewerTokens(section) })
    for (const context of others) await ask(section, context)
    const after = await ask(section, contextOf(section, example))
    const [beside] = await Promise.all([contextOf(section, example), ...others].map((context) => ask(section, context)))
    for (const text of [after, beside]) {
      assertExpected(text ?? '', example)
      if (section.kind === 'static') assert.equal(text, wanted, 'the text differs after or beside those of other contexts')
    }
  })
  runner.it(`does not change its context: ${example.title}`, async () => {
    const section = await create()
    const context = contextOf(section, example)
    const before = structuredClone(context)
    await ask(section, context)
    assert.deepEqual(context, before)
  })
  runner.it(`returns the same text in every call of a chat, if it is static: ${example.title}`, async () => {
    const section = await create()
    if (section.kind !== 'static') return
    const context = contextOf(section, example)
    const first = await ask(section, context)
    for (const runId of ['run-2', 'run-3', 'run-4'])
      assert.equal(await ask(section, { ...context, runId }), first, 'another text for the next run of the same chat')
    const later = await withLaterDate(() => ask(section, { ...context, runId: 'run-5' }))
    assert.equal(later, first, 'another text on the next day, although no data changed; a text with a clock is dynamic')
  })
  runner.it(`answers for any agent and time zone: ${example.title}`, async () => {
    const section = await create()
    const context = contextOf(section, example)
    const { agent } = context
    const agents = [agent, { ...agent, skills: [] }, { ...agent, skills: ['*', 'notes'] }, { ...agent, memory: { enabled: false } }]
    for (const one of agents)
      for (const timezone of ['UTC', 'America/St_Johns', 'Pacific/Kiritimati']) await ask(section, { ...context, agent: one, timezone })
  })
  runner.it(`ends when it is aborted, and answers the next call: ${example.title}`, async () => {
    for (const moment of momentsOfAbort) {
      const section = await create()
      const work = (signal: AbortSignal) => section.text(contextOf(section, example), { signal })
      await abortAt(moment, work, { limitMs: options.abortLimitMs ?? 2_000, what: 'the section' })
      assertExpected((await ask(section, contextOf(section, example))) ?? '', example)
    }
  })
  runner.it(`answers a run beside another one that is aborted: ${example.title}`, async () => {
    const section = await create()
    const controller = new AbortController()
    const aborted = (async () => section.text(contextOf(section, example), { signal: controller.signal }))()
    aborted.catch(() => undefined)
    const asked = ask(section, { ...contextOf(section, example), runId: 'run-2' })
    controller.abort(new Error('stopped'))
    assertExpected((await asked) ?? '', example)
  })
}

function assertExpected(text: string, { isEmpty = false, check }: PromptSectionExample): void {
  assert.equal(text.trim() === '', isEmpty, isEmpty ? 'it has a text' : 'it has no text')
  if (text.trim() !== '') check?.(text)
}

async function ask(section: AgentPromptSection, context: PromptSectionContext): Promise<string | undefined> {
  const text: unknown = await section.text(context, { signal: new AbortController().signal })
  assert.ok(text === undefined || typeof text === 'string', `the text is ${typeof text}; expected a string or undefined`)
  return text
}

const contextOf = ({ maxTokens }: AgentPromptSection, { context }: PromptSectionExample): PromptSectionContext => ({
  userId: 'user-1',
  agent: { id: 'agent-1', handle: 'assistant', name: 'Assistant', skills: [], memory: { enabled: true } },
  chatId: 'chat-1',
  spaceId: null,
  runId: 'run-1',
  timezone: 'Europe/Berlin',
  maxTokens,
  ...context,
})
