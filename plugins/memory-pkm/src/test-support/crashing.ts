import type { CollectionDefinition, Database, StoredObject } from '@agent-service/sdk/services/database'
import { passCollection } from '../store/pass-records.js'
import { createWorld, type OpenedPkm, openPkm, type TestWorld } from './open-pkm.js'
import { createScriptedModel, type Lore, type ScriptedModel } from './scripted-model.js'

/** Chats of one user, which are consolidated one after another. */
export interface Story {
  readonly lore: readonly Lore[]
  readonly chats: readonly (readonly [id: string, texts: readonly string[]])[]
}

/** What a run has come to. */
export interface RunResult {
  /** The export, as text. */
  readonly state: string
  readonly crashes: number
  /** Committed writes of consolidation. */
  readonly writes: number
  readonly calls: number
  readonly stages: ReadonlySet<string>
}

/** Decides when the process dies; once it is dead nothing more is written. */
export interface Crashes {
  afterWrite(facts: { readonly write: number; readonly stage: string | undefined }): boolean
  beforeAnswer(facts: { readonly call: number }): boolean
}

/** One crash at a place, or crashes by chance. */
export function crashAt(place: {
  readonly stage?: string
  readonly write?: number
  readonly call?: number
  readonly chance?: () => boolean
}): Crashes {
  let crashed = false
  const once = (isThere: boolean): boolean => {
    if (crashed || !isThere) return false
    crashed = true
    return true
  }
  return {
    afterWrite: ({ write, stage }) =>
      once(place.write === write || (place.stage !== undefined && place.stage === stage)) || (place.chance?.() ?? false),
    beforeAnswer: ({ call }) => once(place.call === call) || (place.chance?.() ?? false),
  }
}

export const undisturbed = (story: Story): Promise<RunResult> => withCrashes(story, { afterWrite: () => false, beforeAnswer: () => false })

const dead = new Error('The process is dead.')
const maxLives = 200

/** Consolidates a story by processes that die; each next one goes on with what is stored. */
export async function withCrashes(story: Story, crashes: Crashes): Promise<RunResult> {
  const world = createWorld()
  const figures = { crashes: 0, writes: 0, calls: 0, stages: new Set<string>() }
  const reporter = await openPkm(story.lore, { world })
  for (const [id, texts] of story.chats) {
    await reporter.chat(id, texts)
    for (let lives = 1; ; lives += 1) {
      if (lives > maxLives) throw new Error('The processes die for ever.')
      const died = await oneLife(story, world, crashes, figures)
      if (!died) break
      figures.crashes += 1
    }
  }
  const state = JSON.stringify(await reporter.export(), null, 1)
  await reporter.dispose()
  return { ...figures, state }
}

interface Figures {
  writes: number
  calls: number
  readonly stages: Set<string>
}

async function oneLife(story: Story, world: TestWorld, crashes: Crashes, figures: Figures): Promise<boolean> {
  const life = { alive: true }
  const model = createScriptedModel(story.lore)
  model.intervene(() => {
    figures.calls += 1
    if (crashes.beforeAnswer({ call: figures.calls })) life.alive = false
    if (!life.alive) throw dead
    return undefined
  })
  const database = mortalDatabase(world.database, life, (stage) => {
    figures.writes += 1
    if (stage !== undefined) figures.stages.add(stage)
    return crashes.afterWrite({ write: figures.writes, stage })
  })
  const pkm: OpenedPkm & { readonly model: ScriptedModel } = await openPkm(story.lore, { world: { ...world, database }, model })
  try {
    await pkm.sweep()
  } catch (error) {
    if (life.alive) throw error
  } finally {
    await pkm.dispose()
  }
  return !life.alive
}

/** A database whose process may die behind each commit. */
function mortalDatabase(inner: Database, life: { alive: boolean }, dies: (stage: string | undefined) => boolean): Database {
  const living = (): void => {
    if (!life.alive) throw dead
  }
  return {
    shared: inner.shared,
    collection<Document extends StoredObject>(definition: CollectionDefinition<Document>) {
      const collection = inner.collection(definition)
      const guarded =
        <Arguments extends readonly unknown[], Result>(work: (...parts: Arguments) => Promise<Result>) =>
        async (...parts: Arguments): Promise<Result> => {
          living()
          return work(...parts)
        }
      return {
        name: collection.name,
        get: guarded((id: string) => collection.get(id)),
        getEntry: guarded((id: string) => collection.getEntry(id)),
        find: guarded(collection.find),
        query: guarded(collection.query),
        insert: guarded((document: Document) => collection.insert(document)),
        put: guarded((document: Document) => collection.put(document)),
        delete: guarded((id: string) => collection.delete(id)),
      }
    },
    async transaction(work, options) {
      living()
      let [wrote, stage]: [boolean, string | undefined] = [false, undefined]
      const result = await inner.transaction(async (transaction) => {
        ;[wrote, stage] = [false, undefined]
        return work({
          ...transaction,
          insert(definition, document) {
            wrote = true
            transaction.insert(definition, document)
          },
          put(definition, document) {
            wrote = true
            if (definition.name === passCollection.name)
              stage = endedStage(document as unknown as { readonly stage: string; readonly state: string })
            transaction.put(definition, document)
          },
          delete(definition, id) {
            wrote = true
            transaction.delete(definition, id)
          },
        })
      }, options)
      if (wrote && dies(stage)) life.alive = false
      living()
      return result
    },
  }
}

const order = ['extract', 'classify', 'resolve', 'reconcile', 'author', 'adjudicate', 'commit']

/** The stage that has ended when a pass is stored like this. */
const endedStage = ({ stage, state }: { readonly stage: string; readonly state: string }): string | undefined =>
  state === 'done' ? stage : order[order.indexOf(stage) - 1]

/** Numbers from 0 to 1, the same for the same seed. */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
