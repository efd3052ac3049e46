/**
 * Whose turn it is. A lane is one user's agent with executions that wait. The user with the fewest
 * at work comes first, then the one who has waited longest for a turn; the user's agents take turns
 * in the same way. It holds one short entry for each lane, however long the lanes are.
 */
export interface Lanes {
  readonly size: number
  add(lane: string): void
  remove(lane: string): void
  /** Lanes in the order of their turns. `mayHave` leaves out those without a place. */
  inTurn(atWork: AtWork, mayHave: (owner: LaneOwner) => boolean): readonly string[]
  /** The lane has had its turn. */
  served(lane: string): void
}

/** How many are at work, by user and by agent. */
export interface AtWork {
  ofUser(userId: string): number
  ofAgent(agentId: string): number
}

/** Whose executions wait in a lane. */
export interface LaneOwner {
  readonly userId: string
  readonly agentId: string
}

interface Turns {
  readonly lanes: Map<string, number>
  servedAt: number
}

export function createLanes(): Lanes {
  const users = new Map<string, Turns>()
  let size = 0
  let turn = 0
  return {
    get size() {
      return size
    },
    add(lane) {
      const { userId } = partsOf(lane)
      // A newcomer comes behind those who wait already, and before the one who was served last.
      const user = users.get(userId) ?? { lanes: new Map<string, number>(), servedAt: turn - 1 }
      users.set(userId, user)
      if (user.lanes.has(lane)) return
      user.lanes.set(lane, turn)
      size += 1
    },
    remove(lane) {
      const { userId } = partsOf(lane)
      const user = users.get(userId)
      if (!user?.lanes.delete(lane)) return
      size -= 1
      if (user.lanes.size === 0) users.delete(userId)
    },
    inTurn(atWork, mayHave) {
      const waiting = [...users].map(([userId, user]) => ({ user, atWork: atWork.ofUser(userId) }))
      waiting.sort((a, b) => a.atWork - b.atWork || a.user.servedAt - b.user.servedAt)
      return waiting.flatMap(({ user }) =>
        [...user.lanes]
          .filter(([lane]) => mayHave(partsOf(lane)))
          .sort(([, a], [, b]) => a - b)
          .map(([lane]) => lane),
      )
    },
    served(lane) {
      turn += 1
      const user = users.get(partsOf(lane).userId)
      if (!user?.lanes.has(lane)) return
      user.lanes.set(lane, turn)
      user.servedAt = turn
    },
  }
}

function partsOf(lane: string): LaneOwner {
  const [userId = '', agentId = ''] = lane.split('/')
  return { userId, agentId }
}
