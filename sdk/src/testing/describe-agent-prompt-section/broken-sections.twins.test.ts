import { expect } from 'chai'
import type { AgentPromptSection, PromptSectionContext } from '../../contracts/agent-prompt-section/prompt-section.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeAgentPromptSection, type PromptSectionSuiteOptions } from './index.js'

const plainSection: AgentPromptSection = {
  specVersion: 1,
  id: 'tasks',
  title: 'Tasks',
  order: 300,
  kind: 'static',
  maxTokens: 40,
  text: async ({ userId, maxTokens }) => (userId === 'idle' ? undefined : `Open tasks of ${userId}.`.slice(0, maxTokens * 4)),
}

/** Runs the suite against a modified section; returns the titles of the failed tests. */
async function failing(
  change: Partial<AgentPromptSection>,
  isEmpty = false,
  options: Partial<PromptSectionSuiteOptions> = {},
): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeAgentPromptSection({
    name: 'plain',
    runner,
    abortLimitMs: 50,
    create: () => ({ ...plainSection, ...change }),
    examples: [
      {
        title: 'some',
        isEmpty,
        check(text) {
          if (!text.includes('user-1')) throw new Error('It is about someone else.')
        },
      },
      { title: 'none', context: { userId: 'idle' }, isEmpty: true },
    ],
    ...options,
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('prompt section plain › ', ''))
}

let runs = 0
const ends = (title: string): string => `ends when it is aborted, and answers the next call: ${title}`

const faults: readonly (readonly [string, Partial<AgentPromptSection>, readonly string[]])[] = [
  [
    'a text that is kept for the next user',
    (() => {
      const kept = new Map<string, string>()
      const text: AgentPromptSection['text'] = async ({ userId, chatId, maxTokens }) => {
        const known = kept.get(chatId)
        if (known !== undefined) return known
        const fresh = userId === 'idle' ? '' : `Open tasks of ${userId}.`.slice(0, maxTokens * 4)
        if (fresh !== '') kept.set(chatId, fresh)
        return fresh
      }
      return { text }
    })(),
    ['answers each context by itself, whatever was asked before or beside it: none'],
  ],
  [
    'a text that is cut in a character',
    { text: async ({ userId, maxTokens }) => (userId === 'idle' ? undefined : `user-1 ${'🌱'.repeat(80)}`.slice(0, maxTokens * 4)) },
    ['has no half of a character where it is cut: some'],
  ],
  ['another generation', { specVersion: 2 as never }, [soundTitle]],
  ['an id that cannot be one', { id: 'My tasks' }, [soundTitle]],
  ['a title of several lines', { title: 'One\ntwo' }, [soundTitle]],
  ['no order', { order: Number.NaN }, [soundTitle]],
  ['an unknown kind', { kind: 'fixed' as never }, [soundTitle]],
  ['a priority beyond the scale', { priority: 101 }, [soundTitle]],
  ['a time limit of nothing', { timeoutMs: 0 }, [soundTitle]],
  ['a text for another user', { text: async () => 'Open tasks.' }, ['answers: some', 'answers: none']],
  ['no text where one is expected', { text: async () => undefined }, ['answers: some']],
  [
    'a text that ignores its limit of tokens',
    { text: async ({ userId }) => (userId === 'idle' ? undefined : `${userId} ${'x'.repeat(100)}`) },
    ['stays within its limit of tokens: some'],
  ],
  [
    'a text that is not a string',
    { text: async ({ userId }) => (userId === 'idle' ? undefined : (7 as never)) },
    [
      'answers: some',
      'stays within its limit of tokens: some',
      'does not change its context: some',
      'returns the same text in every call of a chat, if it is static: some',
    ],
  ],
  [
    'a context that is changed',
    {
      text: async (context, options) => {
        const text = await plainSection.text(context, options)
        Object.assign(context as { -readonly [Member in keyof PromptSectionContext]: unknown }, { timezone: 'UTC' })
        return text
      },
    },
    ['does not change its context: some', 'does not change its context: none'],
  ],
  [
    'a static text that changes with every call',
    {
      text: async ({ userId }) => {
        runs += 1
        return userId === 'idle' ? undefined : `${userId}: ${runs}`
      },
    },
    ['returns the same text in every call of a chat, if it is static: some'],
  ],
  [
    'a static text with the time in it',
    { text: async ({ userId }) => (userId === 'idle' ? undefined : `${userId}: ${performance.now()}`) },
    ['returns the same text in every call of a chat, if it is static: some'],
  ],
  [
    'work that continues after its abort',
    {
      text: (context, { signal }) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => resolve(plainSection.text(context, { signal })), 5)
          signal.addEventListener('abort', () => clearTimeout(timer))
        }),
    },
    [ends('some'), ends('none')],
  ],
]

const stays = 'returns the same text in every call of a chat, if it is static: some'
const alone = 'answers each context by itself, whatever was asked before or beside it: some'
const apart = 'has nothing personal in the prompt of another user'
const long = 'user-1 '.repeat(60)
const cached = (keyOf: (context: PromptSectionContext) => string): Partial<AgentPromptSection> => {
  const texts = new Map<string, string>()
  return {
    async text(context) {
      if (context.userId === 'idle') return undefined
      const text = texts.get(keyOf(context)) ?? `Open tasks of ${context.userId}. ${long}`.slice(0, context.maxTokens * 4)
      texts.set(keyOf(context), text)
      return text.slice(0, context.maxTokens * 4)
    },
  }
}

const further: readonly (readonly [string, () => Partial<AgentPromptSection>, readonly string[]])[] = [
  [
    'a static text with the date',
    () => ({ text: async ({ userId }) => (userId === 'idle' ? undefined : `${userId}: ${new Date().toISOString().slice(0, 10)}`) }),
    [stays],
  ],
  [
    'a static text with the minute',
    () => ({ text: async ({ userId }) => (userId === 'idle' ? undefined : `${userId}: ${Math.floor(Date.now() / 60_000)}`) }),
    [stays],
  ],
  [
    'a static text that changes with every third call',
    () => {
      let calls = 0
      return {
        async text({ userId }) {
          calls += 1
          return userId === 'idle' ? undefined : `${userId}: ${Math.floor(calls / 3)}`
        },
      }
    },
    [stays],
  ],
  ['a text that is kept by its agent', () => cached(({ agent, maxTokens }) => `${agent.id} ${maxTokens}`), [apart]],
  ['a text that stays short after a call with fewer tokens', () => cached(({ userId }) => userId), [alone]],
  [
    'a section that needs a skill',
    () => ({
      async text(context, options) {
        const [skill] = context.agent.skills
        if (context.agent.skills.length > 0 && !skill?.startsWith('n')) throw new Error('There is no such skill.')
        return plainSection.text(context, options)
      },
    }),
    ['answers for any agent and time zone: some'],
  ],
  [
    'a section that waits for an abort that has been',
    () => ({ text: (context, options) => (options.signal.aborted ? new Promise(() => undefined) : plainSection.text(context, options)) }),
    [ends('some')],
  ],
  [
    'a failure that is kept for ever',
    () => {
      let asked: Promise<string | undefined> | undefined
      return {
        text: ({ userId }, { signal }) => {
          if (userId === 'idle') return Promise.resolve(undefined)
          asked ??= (async () => {
            await Promise.resolve()
            signal.throwIfAborted()
            return 'Open tasks of user-1.'
          })()
          return asked
        },
      }
    },
    [ends('some'), 'answers a run beside another one that is aborted: some'],
  ],
]

describe('describeAgentPromptSection', () => {
  const personal = ['tasks of user-1']
  for (const [what, change, titles] of further) {
    it(`catches ${what}`, async () => {
      const create = () => ({ ...plainSection, ...change() })
      expect(await failing({}, false, { personal, create })).to.include.members([...titles])
    })
  }
  it('passes a section that throws for a user whom it does not know', async () => {
    const text: AgentPromptSection['text'] = async (context, options) => {
      if (context.userId === 'stranger') throw new Error('There is no such user.')
      return plainSection.text(context, options)
    }
    expect(await failing({ text }, false, { personal })).to.deep.equal([])
  })
  it('asks for a personal text that the examples have', async () => {
    expect(await failing({}, false, { personal: ['tasks of user-7'] })).to.deep.equal([apart])
  })
  it('says what it did not check, and nothing of what is not applicable', async () => {
    const notes = async (change: Partial<AgentPromptSection>, options: Partial<PromptSectionSuiteOptions>): Promise<readonly string[]> => {
      const runner = createCollectingRunner()
      const create = () => ({ ...plainSection, ...change })
      describeAgentPromptSection({ name: 'plain', runner, create, examples: [{ title: 'some' }], ...options })
      await runner.run()
      return runner.notes.map((note) => /“(.*?)”/.exec(note)?.[1] ?? note)
    }
    expect(await notes({ maxTokens: 4_000 }, {})).to.deep.equal([
      'personal',
      'an example whose text takes more than a quarter of maxTokens',
    ])
    expect(await notes({ maxTokens: 10 }, { personal: 'not applicable' })).to.deep.equal([])
  })
  it('passes a section that keeps the contract', async () => {
    expect(await failing({})).to.deep.equal([])
  })
  it('allows a dynamic section to change', async () => {
    const text: AgentPromptSection['text'] = async ({ userId }) => (userId === 'idle' ? undefined : `${userId}: ${performance.now()}`)
    expect(await failing({ kind: 'dynamic', text })).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.include.members([...titles])
    })
  }
  it('catches a negative number of tokens', async () => {
    expect(await failing({ maxTokens: 0 })).to.include(soundTitle)
  })
  it('asks for an example with a text', async () => {
    expect(await failing({ text: async () => undefined }, true)).to.deep.equal(['has an example with a text'])
  })
})
