import { currentProfile, placed, recall, remember, withLock } from '@agent-service/sdk/web'

/** A chat that is being tried; a tab that has it open holds a lock of its name. */
export interface TrialChat {
  readonly id: string
  /** Deletes it, also while the page goes away. What fails is done at the next visit. */
  remove(): void
}

const listKey = (): string => `trials.${currentProfile()?.id ?? ''}`
const lockName = (id: string): string => `console.trial.${id}`

function idsIn(key: string): readonly string[] {
  try {
    const found: unknown = JSON.parse(recall(key) ?? '[]')
    return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

function changeIds(key: string, alter: (before: readonly string[]) => readonly string[]): void {
  const next = alter(idsIn(key))
  remember(key, next.length === 0 ? undefined : JSON.stringify(next))
}

/** Remembers a chat that was made to try an agent, until it is deleted. */
export function keepTrial(id: string): TrialChat {
  const key = listKey()
  let release = (): void => undefined
  const open = new Promise<void>((resolve) => {
    release = resolve
  })
  changeIds(key, (before) => [...before.filter((other) => other !== id), id])
  void withLock(lockName(id), () => open)
  return {
    id,
    remove() {
      void removeChat(key, id).finally(release)
    },
  }
}

/** Deletes the chats whose deletion failed, or whose tab crashed; those of open tabs stay. */
export async function removeLeftTrials(): Promise<void> {
  const key = listKey()
  await Promise.all(idsIn(key).map((id) => withLock(lockName(id), () => removeChat(key, id), { onlyIfFree: true })))
}

/** Stays in the list unless the service has confirmed that the chat is gone. */
async function removeChat(key: string, id: string): Promise<void> {
  try {
    const { ok, status } = await fetch(placed(`/api/chats/${id}`), { method: 'DELETE', credentials: 'same-origin', keepalive: true })
    if (ok || status === 404) changeIds(key, (before) => before.filter((other) => other !== id))
  } catch {
    return
  }
}
