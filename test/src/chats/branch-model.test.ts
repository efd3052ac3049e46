import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel, textOf } from '../agents/support/agents-kernel.js'
import { calls, resultsIn, type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { createRandom, seedOfRun } from '../support/random.js'
import { type ListedMessage, shownIn, textsOf, type Writer, writerOf } from './chat-support.js'

const steps = 60

const broken = () =>
  providerError.create({ failure: 'truncated', retryable: false, connection: 'upstream', model: 'm', reason: 'The stream was cut.' })

/**
 * What a chat is, written down without any cleverness: every branch has a list of all its messages,
 * shared ones by their id.
 */
interface NaiveBranch {
  readonly number: number
  readonly messages: readonly ListedMessage[]
}

describe('a chat that is edited, regenerated, switched and continued at random', () => {
  let agents: AgentsKernel
  let ada: Writer

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await writerOf(agents, 'ada')
  })
  after(async () => {
    ada?.stream.close()
    await agents?.close()
  })

  it('equals a naive tree', async function () {
    this.timeout(120_000)
    const seed = seedOfRun()
    const random = createRandom(seed)
    const chat = await ada.person.newChat()
    const branches: NaiveBranch[] = [{ number: 1, messages: [] }]
    let current = 0

    const here = (): readonly ListedMessage[] => branches[current]?.messages ?? []
    let answers = 0
    const anyAnswer = (): Script['answer'] => {
      const text = `answer ${++answers}`
      const kind = random.between(0, 5)
      if (kind === 0) return (request) => (resultsIn(request).length === toolsBefore(request) ? calls('tool__read') : says(text))
      if (kind === 1)
        return async function* () {
          yield { type: 'text.delta', part: 0, text: `half of ${text}` }
          throw broken()
        }
      if (kind === 2)
        return async function* () {
          yield { type: 'response.started' }
          throw broken()
        }
      return () => says(text)
    }
    /** How many results were in the first request of this run. */
    let before: number | undefined
    const toolsBefore = (request: Script['requests'][number]): number => {
      before ??= resultsIn(request).length
      return before
    }
    /**
     * Runs something that begins a run behind the first `kept` messages, with this text of a person
     * before it, and takes over what it added.
     */
    const run = async (kept: number, forks: boolean, written: string | undefined, begin: () => Promise<string>): Promise<void> => {
      const prefix = here().slice(0, kept)
      before = undefined
      const script = setScript({ answer: anyAnswer() })
      await begin()
      expect(shownIn(script.requests[0]), 'what the model was shown').to.deep.equal([
        ...textsOf(prefix),
        ...(written === undefined ? [] : [written]),
      ])
      const now = await ada.list(chat)
      expect(now.slice(0, kept).map(({ id }) => id)).to.deep.equal(prefix.map(({ id }) => id))
      const added = now.slice(kept)
      expect(added.length, 'something was added').to.be.greaterThan(0)
      if (written !== undefined) expect([added[0]?.role, textOf(added[0])]).to.deep.equal(['user', written])
      if (forks) {
        branches.push({ number: branches.length + 1, messages: now })
        current = branches.length - 1
      } else branches[current] = { number: current + 1, messages: now }
    }

    const check = async (index: number): Promise<void> => {
      const branch = branches[index]
      const listed = await ada.list(chat, idOf(index))
      expect(listed.map(({ id }) => id)).to.deep.equal(branch?.messages.map(({ id }) => id))
      for (const [place, message] of listed.entries()) {
        const prefix = idsOf(branch, place)
        const there = branches.filter((other) => other.messages.length > place && idsOf(other, place) === prefix)
        // A message is of the first branch that has it.
        const first = new Map<string, number>()
        for (const other of there) {
          const id = other.messages[place]?.id ?? ''
          if (!first.has(id)) first.set(id, other.number)
        }
        const numbers = first.size > 1 ? [...first.values()] : undefined
        expect(
          message.alternatives?.map(({ number }) => number),
          `alternatives at ${place} of branch ${index + 1}`,
        ).to.deep.equal(numbers)
      }
    }
    let ids: readonly string[] = []
    const idOf = (index: number): string => ids[index] ?? chat

    try {
      for (let step = 0; step < steps; step += 1) {
        const users = here().filter(({ role }) => role === 'user')
        const what = here().length === 0 ? 0 : random.between(0, 9)
        if (what <= 3) {
          await run(here().length, false, `post ${step}`, () => ada.write(chat, `post ${step}`))
        } else if (what <= 5) {
          const replaced = random.pick(users)
          await run(replaced.sequence, true, `edit ${step}`, () => ada.write(chat, `edit ${step}`, replaced.id))
        } else if (what <= 7) {
          const named = random.pick(here())
          const asked = here().findLast(({ role, sequence }) => role === 'user' && sequence <= named.sequence)
          const kept = (asked?.sequence ?? 0) + 1
          await run(kept, kept < here().length, undefined, () => ada.regenerate(chat, named.id))
        } else {
          current = random.between(0, branches.length - 1)
          const { status, body } = await ada.change(chat, { branch_id: idOf(current) })
          expect([status, body['message_count']]).to.deep.equal([200, here().length])
        }
        ids = (await ada.branches(chat)).map(({ id }) => id)
        await check(current)
      }
      const listed = await ada.branches(chat)
      expect(listed.map(({ number, message_count, current: shown }) => [number, message_count, shown])).to.deep.equal(
        branches.map(({ number, messages }, index) => [number, messages.length, index === current]),
      )
      for (const index of branches.keys()) await check(index)
    } catch (error) {
      throw new Error(`With SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  })
})

const idsOf = (branch: NaiveBranch | undefined, length: number): string =>
  (branch?.messages ?? [])
    .slice(0, length)
    .map(({ id }) => id)
    .join()
