import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { createIndexCache, createMemorySearch, createVectorSearch, type StoredVector, termsOf } from '@agent-service/sdk/memory-index'
import type { Figure } from './figures.js'
import { type LabelledQuestion, makeSessions, type Session } from './memory-sessions.js'

const count = 200
const seed = 7
const rounds = 5
const wanted = 5
const userId = 'bench'
const { signal } = new AbortController()

/** Ids of sessions, the best first. */
export type Find = (question: string) => readonly string[] | Promise<readonly string[]>

export interface Quality {
  readonly recall: number
  readonly reciprocalRank: number
  readonly msPerQuery: number
}

/**
 * How often the sessions that have the answer are among the first five, by the kit for memories and by
 * minisearch as it comes. The vectors come from a stand-in that knows some words of one meaning: they
 * show what joining the two lists does, not what a model would know.
 */
export async function benchMemory(print: (line: string) => void): Promise<readonly Figure[]> {
  const { sessions, questions } = makeSessions(count, seed)
  print(`  ${count} made-up sessions, ${questions.length} questions with labelled evidence, half of them in other words (seed ${seed}).`)
  const [plain, words, fused] = [plainSearch(sessions), await kitSearch(sessions, false), await kitSearch(sessions, true)]
  const figures: Figure[] = []
  for (const kind of ['words', 'meaning'] as const) {
    const asked = questions.filter((question) => question.kind === kind)
    const beside = await measure(plain, asked)
    for (const [name, find] of [['words alone', words] as const, ['words and vectors', fused] as const]) {
      const found = await measure(find, asked)
      const title = `${kind === 'words' ? 'asked in words of the answer' : 'asked in other words'}, ${name}`
      const baseline = (value: number) => ({ baseline: { name: 'minisearch', value } })
      figures.push(
        {
          what: `${title}: recall_all@${wanted}`,
          ours: found.recall,
          unit: '',
          ...baseline(beside.recall),
          aim: { text: 'above minisearch', met: found.recall > beside.recall },
        },
        { what: `${title}: MRR`, ours: found.reciprocalRank, unit: '', ...baseline(beside.reciprocalRank) },
        {
          what: `${title}: a query`,
          ours: found.msPerQuery,
          unit: 'ms',
          ...baseline(beside.msPerQuery),
          aim: { text: 'below 2', met: found.msPerQuery < 2 },
        },
      )
    }
  }
  const single = await measure(
    await searchOfLines(sessions),
    questions.filter(({ kind }) => kind === 'words'),
  )
  const title = 'each line a memory, asked in words of the answer, words alone'
  figures.push(
    { what: `${title}: recall_all@${wanted}`, ours: single.recall, unit: '', aim: { text: 'at least 0.92', met: single.recall >= 0.92 } },
    { what: `${title}: MRR`, ours: single.reciprocalRank, unit: '' },
    { what: `${title}: a query`, ours: single.msPerQuery, unit: 'ms', aim: { text: 'below 2', met: single.msPerQuery < 2 } },
  )
  return figures
}

/** The kit over single lines, as back ends keep single memories: the sessions of the lines that it finds, the best first. */
export async function searchOfLines(sessions: readonly Session[]): Promise<Find> {
  const lines = sessions.flatMap(({ id, text }) => text.split('\n').map((line, index) => ({ id: `${id}/${index}`, text: line })))
  const find = await kitSearch(lines, false)
  return async (question) => [...new Set((await find(question)).map((id) => id.slice(0, id.indexOf('/'))))]
}

/** The share of questions all of whose evidence is found, and how high its first piece stands. */
export async function measure(find: Find, questions: readonly LabelledQuestion[]): Promise<Quality> {
  let [whole, ranks] = [0, 0]
  for (const { text, evidence } of questions) {
    const found = await find(text)
    if (evidence.every((id) => found.slice(0, wanted).includes(id))) whole += 1
    const first = found.findIndex((id) => evidence.includes(id))
    ranks += first === -1 ? 0 : 1 / (first + 1)
  }
  const began = performance.now()
  for (let round = 0; round < rounds; round += 1) for (const { text } of questions) await find(text)
  const msPerQuery = (performance.now() - began) / (rounds * questions.length)
  return { recall: whole / questions.length, reciprocalRank: ranks / questions.length, msPerQuery }
}

/** Minisearch with nothing set, in the copy that the kit itself uses. */
function plainSearch(sessions: readonly Session[]): Find {
  const library = createRequire(import.meta.resolve('@agent-service/sdk/package.json'))('minisearch') as {
    new (options: {
      readonly fields: readonly string[]
    }): {
      addAll(documents: readonly Session[]): void
      search(text: string): readonly { readonly id: string }[]
    }
  }
  const engine = new library({ fields: ['text'] })
  engine.addAll(sessions)
  return (question) =>
    engine
      .search(question)
      .slice(0, 10)
      .map(({ id }) => id)
}

async function kitSearch(sessions: readonly Session[], withVectors: boolean): Promise<Find> {
  const stored = new Map<string, StoredVector>()
  const documents = { versionOf: async () => 1, load: async () => ({ version: 1, documents: sessions }), signal }
  const vectors = createVectorSearch({
    ...documents,
    clock: { now: () => Date.now(), after: (milliseconds, callback) => stopper(setTimeout(callback, milliseconds)) },
    log: { warn: (message) => void process.stderr.write(`${message}\n`) },
    inference: {
      groups: () => [{ name: 'embedding', provider: 'stand-in', model: 'stand-in', context_window: 8_000, embeds: true }],
      embed: async ({ inputs }) => ({
        ...{
          vectors: inputs.map(standInVector),
          model: 'stand-in',
          provider: 'stand-in',
          space: 'stand-in/256',
          usage: { input_tokens: 0 },
        },
      }),
    },
    store: {
      async *read() {
        yield* stored.values()
      },
      async write(_, made) {
        for (const vector of made) stored.set(vector.id, vector)
      },
      async remove(_, ids) {
        for (const id of ids) stored.delete(id)
      },
    },
  })
  if (withVectors) await vectors.refresh(userId)
  const search = createMemorySearch({ cache: createIndexCache(documents), ...(withVectors && { vectors }) })
  return async (question) => (await search.search(userId, question, { limit: 10, signal })).map(({ id }) => id)
}

const stopper = (timer: NodeJS.Timeout) => (): void => clearTimeout(timer)

/** Words of one meaning. */
const meanings = [
  ...['car automobile drive', 'doctor physician practise', 'allergic avoid', 'peanuts nuts', 'moved flat apartment rent'],
  ...['works job', 'plays violin orchestra instrument', 'wedding married', 'studies chemistry subject university'],
].map((words) => new Set(termsOf(words)))

/** A direction for each meaning and each other word; a meaning counts four times. */
function standInVector(text: string): readonly number[] {
  const vector = new Array<number>(256).fill(0)
  for (const term of new Set(termsOf(text))) {
    const meaning = meanings.findIndex((words) => words.has(term))
    const name = meaning === -1 ? term : `meaning ${meaning}`
    const bytes = createHash('sha256').update(name).digest()
    for (let part = 0; part < 4; part += 1) {
      const place = bytes[2 * part] ?? 0
      vector[place] = (vector[place] ?? 0) + ((bytes[2 * part + 1] ?? 0) % 2 === 0 ? 1 : -1) * (meaning === -1 ? 1 : 4)
    }
  }
  return vector
}
