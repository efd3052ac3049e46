import { pageQuery, readAll } from '@agent-service/sdk/web'
import { api, type Schemas, sharedQuery } from '../api/index.js'

export type Space = Schemas['Space']

const spaces = sharedQuery<readonly Space[]>({
  key: ['spaces'],
  initial: [],
  read: (signal) => readAll((cursor) => api.get('/api/spaces', { query: pageQuery(cursor), signal })),
})

/** The person's spaces by name, live once {@link readSpaces} was called. */
export const knownSpaces = (): readonly Space[] => [...spaces.value()].sort((one, other) => one.name.localeCompare(other.name))

/** Why the spaces could not be read. */
export const spacesError = spaces.error

export const spaceOf = (id: string | null | undefined): Space | undefined => spaces.value().find((space) => space.id === id)

/** Reads the spaces, once at a time. What was read before stays when it fails; {@link spacesError} says why. */
export const readSpaces = spaces.read

/** Shows a space that the person has just made or changed. */
export const putSpace = (space: Space): void => spaces.change((all) => [...all.filter(({ id }) => id !== space.id), space])
