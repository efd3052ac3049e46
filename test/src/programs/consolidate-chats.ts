import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { createSystemClock } from '@agent-service/kernel-core/clock'
import { openDatabase } from '@agent-service/kernel-core/database'
import type { Logger } from '@agent-service/sdk'
import type { DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import { createFakeChats, createTestClock } from '@agent-service/sdk/testing'

/**
 * Consolidates chats of one user with the back end `pkm`, a model that answers by rules, and SQLite,
 * until nothing is left to do, or it is killed. Started with one argument, JSON: `{path, delayMs,
 * chats, killAfterStage}`. Prints `begun`, and at the end `done` with the export.
 */

interface Task {
  readonly path: string
  /** How long the model takes for an answer. */
  readonly delayMs: number
  readonly chats: readonly (readonly [id: string, texts: readonly string[]])[]
  /** It kills itself with SIGKILL as soon as this stage of a pass is stored for the first time. */
  readonly killAfterStage?: string
}

/** The plugin's own means for tests; they are in no package. */
interface PkmTestSupport {
  openPkm(
    lore: unknown,
    options: object,
  ): Promise<{
    sweep(): Promise<void>
    chat(id: string, texts: readonly string[]): Promise<void>
    export(): Promise<readonly unknown[]>
    dispose(): Promise<void>
  }>
  createScriptedModel(lore: unknown): { intervene(answer: () => Promise<undefined>): void }
  readonly lore: unknown
  readonly collections: readonly CollectionDefinition[]
}

const log: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, child: () => log }
const task = JSON.parse(process.argv[2] ?? '{}') as Task
const load = async <Module>(file: string): Promise<Module> =>
  (await import(new URL(`../../../plugins/${file}`, import.meta.url).href)) as Module

const { openPkm } = await load<PkmTestSupport>('memory-pkm/dist/test-support/open-pkm.js')
const { createScriptedModel } = await load<PkmTestSupport>('memory-pkm/dist/test-support/scripted-model.js')
const { lore } = await load<PkmTestSupport>('memory-pkm/dist/test-support/lore.js')
const { collections } = await load<PkmTestSupport>('memory-pkm/dist/store/collections.js')
const { passCollection } = await load<{ readonly passCollection: CollectionDefinition }>('memory-pkm/dist/store/pass-records.js')
const { createSqliteDriver } = await load<{ createSqliteDriver(): DatabaseDriver }>('database-sqlite/dist/index.js')

const store = await openDatabase({
  ...{ driver: createSqliteDriver(), path: task.path, settings: {}, cache: { ttlSeconds: 0, maxEntries: 0 } },
  ...{ clock: createSystemClock(), log, signal: AbortSignal.timeout(60_000) },
})
const inner: Database = await store.openFor('memory-pkm', collections)
const database = task.killAfterStage === undefined ? inner : killedAfter(inner, task.killAfterStage)
const model = createScriptedModel(lore)
model.intervene(async () => {
  await setTimeout(task.delayMs)
  return undefined
})
const pkm = await openPkm(lore, { model, world: { database, chats: createFakeChats(), clock: createTestClock() } })
writeSync(1, 'begun\n')
for (const [id, texts] of task.chats) await pkm.chat(id, texts)
await pkm.sweep()
writeSync(1, `done ${JSON.stringify(await pkm.export())}\n`)
await pkm.dispose()
await store.close()

/** A database whose process dies right behind the commit with which a stage has ended. */
function killedAfter(database: Database, wanted: string): Database {
  const order = ['extract', 'classify', 'resolve', 'reconcile', 'author', 'adjudicate', 'commit']
  const endedBy = ({ stage, state }: { readonly stage: string; readonly state: string }): string | undefined =>
    state === 'done' ? stage : order[order.indexOf(stage) - 1]
  return {
    ...database,
    async transaction(work, options) {
      let hasEnded = false
      const result = await database.transaction((transaction) => {
        hasEnded = false
        return work({
          ...transaction,
          put(definition, document) {
            if (definition.name === passCollection.name && endedBy(document as unknown as { stage: string; state: string }) === wanted)
              hasEnded = true
            transaction.put(definition, document)
          },
        })
      }, options)
      if (hasEnded) process.kill(process.pid, 'SIGKILL')
      return result
    },
  }
}
