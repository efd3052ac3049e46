import type { Received, Vendor } from './vendor.js'

/** A person who writes again once they have an answer, or it is known that they may not have got one. */
export interface Person {
  readonly vendor: Vendor
  readonly number: number
  readonly conversation: string
  /** Messages so far. */
  written: number
  /** When the last one was written, in milliseconds since 1970. */
  writtenAt: number
  isWaiting: boolean
  /** When their messages of the last minute were written. */
  recent: readonly number[]
  /** Answers of the agent, without what came again under its key. */
  readonly answers: string[]
  readonly keys: Set<string>
  /** What came again under its key. */
  repeated: number
  /** The code with which they were asked to pair. */
  code: string | undefined
}

/** Fewer than the service takes from one conversation in a minute. */
const maxPerMinute = 25
const minuteMs = 62_000

export const newPerson = (vendor: Vendor, number: number): Person => ({
  ...{ vendor, number, conversation: vendor.conversationOf(number), written: 0, writtenAt: 0, isWaiting: false, recent: [] },
  ...{ answers: [], keys: new Set(), repeated: 0, code: undefined },
})

export const textOf = (number: number): string => `message ${number}`
export const answerTo = (number: number): string => `Re: message ${number}`
/** What a conversation is told when its run was given up, since it was killed too often. */
const failure = 'The agent could not go on'

/** Whether a text is the end of a run, and no notice of the service. */
export const isAnswer = (text: string): boolean => text.startsWith('Re: ') || text.startsWith(failure)

export const mayWrite = ({ isWaiting, recent }: Person, now: number): boolean =>
  !isWaiting && recent.filter((at) => at > now - minuteMs).length < maxPerMinute

/** The next message of a person. */
export function write(person: Person, now: number): void {
  const number = person.written
  person.written += 1
  person.writtenAt = now
  person.isWaiting = true
  person.recent = [...person.recent.filter((at) => at > now - minuteMs), now]
  person.vendor.write(person.number, number, textOf(number))
}

/** The same message comes once more, as vendors do it: the last one, or one before it. */
export function writeAgain(person: Person, back: number): void {
  const number = person.written - 1 - back
  if (number >= 0) person.vendor.write(person.number, number, textOf(number))
}

/** Takes what a person has got. */
export function receive(person: Person, { text, key }: Received): void {
  person.code ??= /Your code is (\w+)/.exec(text)?.[1]
  if (!isAnswer(text)) return
  if (key !== undefined && person.keys.has(key)) {
    person.repeated += 1
    return
  }
  if (key !== undefined) person.keys.add(key)
  person.answers.push(text)
  if (text === answerTo(person.written - 1) || text.startsWith(failure)) person.isWaiting = false
}
