import type { SeenDelivery } from './deliveries.js'
import type { Person } from './people.js'

/** What came of the messages of some people. */
export interface Counts {
  readonly messages: number
  /** Messages whose run was given up, since it was killed too often; their answer says so. */
  readonly failed: number
  /** Answers that a vendor without keys may not have: shown as unknown. */
  readonly unknown: number
  /** Answers of which a vendor without keys has not got a word: unknown too. */
  readonly missing: number
  /** Answers that came to a vendor with keys more than once, under the same key. */
  readonly repeated: number
}

/**
 * Holds what the service says that it has sent beside what a person has got: one answer to each message,
 * and none of them twice. Only where the vendor has no keys an answer may be missing, and then it is
 * shown as unknown. Returns the problems with the counts.
 */
export function compare(person: Person, deliveries: readonly SeenDelivery[]): Counts & { readonly problems: readonly string[] } {
  const { vendor, written, answers, repeated } = person
  const name = `${vendor.kind} ${person.number}`
  const problems: string[] = []
  const inState = (state: string): number => deliveries.filter((each) => each.state === state).length
  const [sent, unknown] = [inState('sent'), inState('unknown')]
  const texts = answers.filter((text) => text.startsWith('Re: '))
  const missing = deliveries.length - answers.length
  if (deliveries.length !== written) problems.push(`${name}: ${deliveries.length} answers to ${written} messages.`)
  if (sent + unknown !== deliveries.length) problems.push(`${name}: ${deliveries.length - sent - unknown} answers are in no final state.`)
  if (new Set(texts).size !== texts.length) problems.push(`${name}: has two answers to one message.`)
  if (missing < 0) problems.push(`${name}: has ${-missing} answers more than were sent.`)
  if (missing > unknown) problems.push(`${name}: ${missing} answers are missing, and only ${unknown} are shown as unknown.`)
  if (vendor.hasKeys && unknown > 0) problems.push(`${name}: has keys, and ${unknown} answers are unknown.`)
  return { messages: written, failed: answers.length - texts.length, unknown, missing: Math.max(0, missing), repeated, problems }
}

export const sumOf = (counts: readonly Counts[]): Counts => ({
  messages: total(counts, 'messages'),
  failed: total(counts, 'failed'),
  unknown: total(counts, 'unknown'),
  missing: total(counts, 'missing'),
  repeated: total(counts, 'repeated'),
})

const total = (counts: readonly Counts[], name: keyof Counts): number => counts.reduce((sum, each) => sum + each[name], 0)
