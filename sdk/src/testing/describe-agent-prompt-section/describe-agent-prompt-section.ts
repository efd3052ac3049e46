import { strict as assert } from 'node:assert'
import { checkPromptSection } from '../../contracts/agent-prompt-section/check-prompt-section.js'
import type { AgentPromptSection, PromptSectionContext } from '../../contracts/agent-prompt-section/prompt-section.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { endsWithin } from '../within-limit.js'

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
    describeDeclaration(options, runner)
    for (const example of options.examples) describeExample(options, example, runner)
  })
}

function describeDeclaration({ create, examples }: PromptSectionSuiteOptions, runner: SuiteRunner): void {
  runner.it(soundTitle, async () => assertSound(checkPromptSection(await create())))
  runner.it('has an example with a text', () => {
    assert.ok(
      examples.some(({ isEmpty }) => isEmpty !== true),
      'none of the examples has a text',
    )
  })
}

function describeExample(options: PromptSectionSuiteOptions, example: PromptSectionExample, runner: SuiteRunner): void {
  const { create } = options
  runner.it(`answers: ${example.title}`, async () => {
    const section = await create()
    assertExpected((await ask(section, contextOf(section, example))) ?? '', example)
  })
  runner.it(`stays within its limit of tokens: ${example.title}`, async () => {
    const section = await create()
    for (const maxTokens of [section.maxTokens, Math.max(1, Math.floor(section.maxTokens / 4))]) {
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
    await new Promise((resolve) => setTimeout(resolve, 2))
    assert.equal(await ask(section, { ...context, runId: 'run-2' }), first, 'another text for the next run of the same chat')
  })
  runner.it(`ends when it is aborted: ${example.title}`, async () => {
    const section = await create()
    const controller = new AbortController()
    const work = section.text(contextOf(section, example), { signal: controller.signal })
    controller.abort(new Error('stopped'))
    await endsWithin(work, options.abortLimitMs ?? 2_000, 'the section was still working')
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
