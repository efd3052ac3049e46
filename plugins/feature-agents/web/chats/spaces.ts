import { createKept } from '@agent-service/sdk/web'
import { api, onEvent, type Schemas } from '../api/index.js'

export type Space = Schemas['Space']

const spaces = createKept<readonly Space[]>([], async () => (await api.get('/api/spaces', { query: { limit: 200 } })).items)
let following = false

/** The person's spaces by name, live once {@link readSpaces} was called. */
export const knownSpaces = (): readonly Space[] => [...spaces.value()].sort((one, other) => one.name.localeCompare(other.name))

/** Why the spaces could not be read. */
export const spacesError = spaces.error

export const spaceOf = (id: string | null | undefined): Space | undefined => spaces.value().find((space) => space.id === id)

/** Reads the spaces, once at a time. What was read before stays when it fails; {@link spacesError} says why. */
export function readSpaces(): Promise<void> {
  if (!following) {
    following = true
    onEvent('space.updated', ({ data: { space } }) => putSpace(space))
    onEvent('space.deleted', ({ data }) => spaces.change((all) => all.filter(({ id }) => id !== data.space_id)))
    onEvent('reset', () => void spaces.read())
  }
  return spaces.read()
}

export const putSpace = (space: Space): void => spaces.change((all) => [...all.filter(({ id }) => id !== space.id), space])
