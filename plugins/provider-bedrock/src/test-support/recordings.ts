import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRecordings, type Recording, type Recordings } from '@agent-service/sdk/testing'
import { decodeFrames } from './decode-frames.js'
import { framesOf } from './encode-frame.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * The folder of recordings of real providers; that of all fixtures is absolute or relative to the
 * repository's root.
 */
const providersFolder = (fixtures = '../shared/fixtures'): string => path.join(path.resolve(root, fixtures), 'providers')

/** The recordings of real providers. */
export const openProviderRecordings = (fixtures: string | undefined): Recordings => openRecordings(providersFolder(fixtures))

/**
 * The answers of the Converse protocol. Those that were kept as the documents of a stream come in
 * frames again.
 */
export const converseRecordings = (library: Recordings): readonly Recording[] =>
  library
    .below('bedrock-converse')
    .map((recording) =>
      recording.kind === 'sse'
        ? { ...recording, kind: 'eventstream', contentType: 'application/vnd.amazon.eventstream', bytes: framesOf(recording.documents) }
        : recording,
    )

/**
 * The events of a recorded stream as `{name: data}`, or the one document of an answer in one piece.
 */
export const documentsOf = (recording: Recording): readonly Readonly<Record<string, unknown>>[] =>
  recording.kind === 'eventstream'
    ? decodeFrames(recording.bytes).map(({ event, data }) => ({ [event]: data }))
    : (recording.documents as readonly Readonly<Record<string, unknown>>[])

/** Files that are not answers: vectors. */
export const openVectors = (fixtures: string | undefined, place: string) => ({
  list: (...names: readonly string[]): readonly string[] => readdirSync(path.join(providersFolder(fixtures), place, ...names)),
  read: (...names: readonly string[]): Buffer => readFileSync(path.join(providersFolder(fixtures), place, ...names)),
})
