import type { FollowedEvent } from './follower.js'
import { newChat, type Person, post } from './person.js'
import { askForStory, storyOf } from './story-model.js'

/** One story that is told to a person, in a chat of its own. */
export interface Story {
  readonly chatId: string
  readonly runId: string
  readonly text: string
}

/** Keeps some stories going, one after the other has ended. */
export interface Stories {
  /** Those that were begun, in order. */
  readonly begun: readonly Story[]
  /** Those that are being told. */
  going(): readonly Story[]
  /** What a tab that always stays has seen. */
  see(event: FollowedEvent): void
  /** Begins no more; resolves when all have ended. @throws after 60 s, and what a post throws. */
  finish(): Promise<void>
}

export async function startStories(options: {
  readonly url: string
  readonly person: Person
  readonly name: string
  /** How many at once. */
  readonly atOnce: number
  /** Of each, in characters. */
  readonly length: number
}): Promise<Stories> {
  const { url, person, name, atOnce, length } = options
  const begun: Story[] = []
  const ended = new Set<string>()
  let told = 0
  let ending = false
  let failure: unknown
  let look: () => void = () => undefined
  let beginning = 0

  const begin = async (): Promise<void> => {
    beginning += 1
    try {
      const title = `${name}-${told++}`
      const chatId = await newChat(url, person)
      begun.push({ chatId, runId: await post(url, person, chatId, askForStory(title, length)), text: storyOf(title, length) })
    } catch (error) {
      failure = error
    } finally {
      beginning -= 1
      look()
    }
  }
  const going = (): readonly Story[] => begun.filter(({ runId }) => !ended.has(runId))

  await Promise.all(Array.from({ length: atOnce }, begin))
  return {
    begun,
    going,
    see({ name: event, data }) {
      if (event !== 'run.completed' && event !== 'run.failed' && event !== 'run.cancelled') return
      ended.add(String(data['run_id']))
      if (!ending && failure === undefined) void begin()
      look()
    },
    async finish() {
      ending = true
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${going().length} stories do not end.`)), 60_000)
        look = () => {
          if (failure === undefined && (beginning > 0 || going().length > 0)) return
          clearTimeout(timer)
          resolve()
        }
        look()
      })
      if (failure !== undefined) throw failure
    },
  }
}
