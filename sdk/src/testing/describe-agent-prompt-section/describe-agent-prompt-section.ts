import { strict as assert } from 'node:assert'
import { checkPromptSection } from '../../contracts/agent-prompt-section/check-prompt-section.js'
import type { AgentPromptSection, PromptSectionContext } from '../../contracts/agent-prompt-section/prompt-section.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { endsWithin } from '../within-limit.js'

/** One call that the suite asks the section for. */
export interface PromptSectionExample {
  /** Stands in the title of the test. */
  readonly title: string
  /** What is different from the suite's own context. */
  readonly context?: Partial<PromptSectionContext>
  /** The section has nothing to say. Default false. */
  readonly isEmpty?: boolean
  /** Looks at the text beyond the contract. */
  check?(text: string): void
}

/** The options of {@link describeAgentPromptSection}. */
export interface PromptSectionSuiteOptions {
  /** Stands in the titles. */
  readonly name: string
  /** Makes the section, with what the examples need behind it. Called for each test anew. */
  create(): AgentPromptSection | Promise<AgentPromptSection>
  /** At least one where the section has something to say. */
  readonly examples: readonly PromptSectionExample[]
  /** Default: the test framework on the global object. */
  readonly runner?: SuiteRunner
  /** The longest that an aborted call may take to end, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

/** How many characters of a text are taken for one token. */
const charactersPerToken = 4

/**
 * Every promise of the `agent.prompt-section` contract as tests.
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
  runner.it('has an example with something to say', () => {
    assert.ok(
      examples.some(({ isEmpty }) => isEmpty !== true),
      'there is none',
    )
  })
}

function describeExample(options: PromptSectionSuiteOptions, example: PromptSectionExample, runner: SuiteRunner): void {
  const { create } = options
  runner.it(`answers: ${example.title}`, async () => {
    const section = await create()
    const text = (await ask(section, contextOf(section, example))) ?? ''
    assert.equal(text.trim() === '', example.isEmpty === true, example.isEmpty === true ? 'it has a text' : 'it has no text')
    if (text.trim() !== '') example.check?.(text)
  })
  runner.it(`keeps within the tokens that it is given: ${example.title}`, async () => {
    const section = await create()
    for (const maxTokens of [section.maxTokens, Math.max(1, Math.floor(section.maxTokens / 4))]) {
      const text = (await ask(section, { ...contextOf(section, example), maxTokens })) ?? ''
      const most = maxTokens * charactersPerToken
      assert.ok(text.length <= most, `${text.length} characters for ${maxTokens} tokens; expected at most ${most}`)
    }
  })
  runner.it(`leaves its context as it was: ${example.title}`, async () => {
    const section = await create()
    const context = contextOf(section, example)
    const before = structuredClone(context)
    await ask(section, context)
    assert.deepEqual(context, before)
  })
  runner.it(`says the same in every call of a chat, where it is static: ${example.title}`, async () => {
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
    await endsWithin(work, options.abortLimitMs ?? 2_000, 'the section was still at work')
  })
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
