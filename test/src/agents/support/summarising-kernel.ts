import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from './agents-kernel.js'
import {
  asksForSummary,
  createVendorCount,
  type LongChat,
  openLongChat,
  requestText,
  smallWindow,
  smallWindowEnvironment,
  wordsOf,
} from './long-chats.js'
import { type Script, says, setScript } from './scripted-plugin.js'

/** What the window leaves to a prompt, in tokens. */
export const promptRoom = smallWindow.window - smallWindow.reserve

/** A kernel whose model has a small window, and a person whose chats outgrow it. */
export interface SummarisingKernel extends Pick<AgentsKernel, 'person'> {
  readonly ada: Person
  /** Starts over with a model that answers as `answer` does, or as a test says. */
  begin(changes?: Partial<Script>): void
  /** A hundred words for a question, a short summary for whoever orders one. */
  answer(request: ModelRequest): AsyncIterable<ModelEvent>
  /** What the model was asked since `begin`. */
  requests(): readonly ModelRequest[]
  /** Those of them that do not order a summary. */
  questions(): readonly ModelRequest[]
  lastQuestion(): ModelRequest
  /** Opens a chat and talks for so many turns of about 250 tokens each: `Question 1.` and so on. */
  chatOf(turns: number): Promise<LongChat>
  /** Counts tokens as the vendor does. */
  count(text: string): number
  /**
   * The sizes of the prompts beyond {@link promptRoom} that `answer` has seen since it was asked
   * the last time.
   */
  takeTooLong(): readonly number[]
  close(): Promise<void>
}

export async function startSummarisingKernel(): Promise<SummarisingKernel> {
  const count = createVendorCount()
  const tooLong: number[] = []
  let summaries = 0
  let answers = 0
  const answer = (request: ModelRequest): AsyncIterable<ModelEvent> => {
    const tokens = count(requestText(request))
    if (tokens > promptRoom) tooLong.push(tokens)
    if (asksForSummary(request)) return says(`Summary ${++summaries}: they talked.`)
    return says(wordsOf(`Answer ${++answers}.`, 100))
  }
  let script = setScript({ answer })
  const questions = (): readonly ModelRequest[] => script.requests.filter((request) => !asksForSummary(request))
  const agents = await startAgentsKernel({ environment: smallWindowEnvironment })
  const ada = await agents.person('ada')
  return {
    person: agents.person,
    ada,
    begin(changes = {}) {
      script = setScript({ answer, ...changes })
    },
    answer,
    requests: () => script.requests,
    questions,
    lastQuestion: () => questions().at(-1) ?? expect.fail('nothing was asked'),
    async chatOf(turns) {
      const chat = await openLongChat(ada)
      for (let turn = 1; turn <= turns; turn += 1) {
        expect((await chat.say(wordsOf(`Question ${turn}.`, 120))).name).to.equal('run.completed')
      }
      return chat
    },
    count,
    takeTooLong: () => tooLong.splice(0),
    close: () => agents.close(),
  }
}
