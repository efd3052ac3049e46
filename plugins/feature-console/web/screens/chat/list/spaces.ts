import { createSignal } from 'solid-js'
import { api } from '../../../api/client.js'
import { onEvent } from '../../../api/events.js'
import type { Schemas } from '../../../api/types.js'

export type Space = Schemas['Space']

const [spaces, setSpaces] = createSignal<readonly Space[]>([])
let following = false

/** The person's spaces by name, live once {@link readSpaces} was called. */
export const knownSpaces = (): readonly Space[] => [...spaces()].sort((one, other) => one.name.localeCompare(other.name))

export const spaceOf = (id: string | null | undefined): Space | undefined => spaces().find((space) => space.id === id)

export async function readSpaces(): Promise<void> {
  if (!following) {
    following = true
    onEvent('space.updated', ({ data: { space } }) => putSpace(space))
    onEvent('space.deleted', ({ data }) => void setSpaces((all) => all.filter(({ id }) => id !== data.space_id)))
    onEvent('reset', () => void readSpaces())
  }
  const { items } = await api.get('/api/spaces', { query: { limit: 200 } })
  setSpaces(items)
}

export const putSpace = (space: Space): void => void setSpaces((all) => [...all.filter(({ id }) => id !== space.id), space])
