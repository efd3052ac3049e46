import { createFollower, type FollowedEvent, type Follower } from './follower.js'
import { messagesOf, type Person } from './person.js'
import { createScreen, type Screen } from './screen.js'

/** A state event that a tab saw. */
export interface SeenState {
  readonly id: number
  readonly name: string
  readonly chatId: string
}

/**
 * A person's tab: follows the stream, and reads a chat again where the stream says that it has to.
 */
export interface Tab extends Pick<Follower, 'drop' | 'cut' | 'lastId' | 'ended'> {
  /**
   * Goes on behind the last event, or behind `after`. What could not be read before is read now.
   */
  connect(url: string, options?: { readonly after?: number }): Promise<void>
  /**
   * Opens a chat in the middle of whatever goes on there: reads its messages, then follows from
   * where they stand.
   */
  open(url: string, chatId: string): Promise<void>
  /** The state events that it saw, in order. */
  readonly states: readonly SeenState[]
  shown(messageId: string): string
  /**
   * How often it read a chat because of a delta beyond its text, and how often the stream said
   * `reset`.
   */
  counts(): { readonly gaps: number; readonly resets: number }
  /** Resolves when it has read everything that it had to. @throws after 30 s. */
  settled(): Promise<void>
}

export function createTab(options: {
  readonly name: string
  readonly person: Person
  readonly problems: string[]
  readonly chatId?: string
  readonly screen?: Screen
  /** Called for every event as it comes, deltas too. */
  readonly onEvent?: (event: FollowedEvent) => void
  /** The chats that are read again at a reset; none: a reset is a problem. */
  readonly chats?: () => readonly string[]
}): Tab {
  const { name, person, problems, chatId, onEvent, chats, screen = createScreen() } = options
  const states: SeenState[] = []
  /** Chats that are to be read, each with what came for it meanwhile. */
  const unread = new Map<string, FollowedEvent[]>()
  let reading: Promise<void> = Promise.resolve()
  let address = ''
  let gaps = 0
  let resets = 0

  const readAll = (): void => {
    reading = reading.then(async () => {
      for (const chat of [...unread.keys()]) {
        const page = await messagesOf(address, person, chat).catch(() => undefined)
        // It is read once there is a service again.
        if (page === undefined) return
        const waiting = unread.get(chat) ?? []
        unread.delete(chat)
        screen.read(page)
        for (const event of waiting) show(event)
      }
    })
  }

  const readAgain = (chat: string): void => {
    if (unread.has(chat)) return
    unread.set(chat, [])
    readAll()
  }

  const show = (event: FollowedEvent): void => {
    const chat = String(event.data['chat_id'])
    const waiting = unread.get(chat)
    if (waiting) waiting.push(event)
    else if (screen.apply(event) === 'gap') {
      gaps += 1
      readAgain(chat)
    }
  }

  const follower = createFollower({
    name,
    token: person.token,
    problems,
    ...(chatId === undefined ? {} : { chatId }),
    onReset(id) {
      resets += 1
      if (!chats) problems.push(`${name}: a reset at ${id} although everything is kept`)
      for (const chat of chats?.() ?? []) readAgain(chat)
    },
    onEvent(event) {
      if (!event.name.endsWith('.delta')) states.push({ id: event.id, name: event.name, chatId: String(event.data['chat_id']) })
      show(event)
      onEvent?.(event)
    },
  })

  return {
    drop: () => follower.drop(),
    cut: (share) => follower.cut(share),
    lastId: () => follower.lastId(),
    ended: () => follower.ended(),
    async connect(url, from) {
      address = url
      await follower.connect(url, from)
      if (unread.size > 0) readAll()
    },
    async open(url, chat) {
      address = url
      const page = await messagesOf(url, person, chat)
      screen.read(page)
      const position = page.find(({ status }) => status === 'open')?.event_id
      await follower.connect(url, position === undefined ? {} : { after: Number(position) })
      // Without an open message nothing says where the page stands.
      if (position === undefined) readAgain(chat)
    },
    states,
    shown: (messageId) => screen.text(messageId),
    counts: () => ({ gaps, resets }),
    async settled() {
      for (const end = Date.now() + 30_000; unread.size > 0; await reading) {
        if (Date.now() > end) throw new Error(`${name}: its chats could not be read within 30 s.`)
        readAll()
      }
    },
  }
}
