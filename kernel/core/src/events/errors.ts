import { defineError } from '@agent-service/sdk'

/** A state event was sent as a delta, or the other way round. */
export const eventMisnamedError = defineError<{ readonly name: string; readonly kind: 'state' | 'delta' }>({
  code: 'event_misnamed',
  status: 500,
  title: 'Event misnamed',
  message: ({ name, kind }) =>
    kind === 'delta'
      ? `“${name}” is a state event: record it with the transaction of its change. Only names that end in “.delta” are published directly.`
      : `“${name}” is a delta: publish it. Only events that are no deltas are recorded with a transaction.`,
})

/** One commit reports more changes than it has numbers for. */
export const tooManyEventsError = defineError<{ readonly limit: number }>({
  code: 'too_many_events',
  status: 500,
  title: 'Too many events',
  message: ({ limit }) => `One transaction may record at most ${limit} events. Split the work into several transactions.`,
})

/** The store has counted so many commits that numbers can no longer be told apart in JSON. */
export const eventNumbersExhaustedError = defineError<{ readonly revision: number }>({
  code: 'event_numbers_exhausted',
  status: 500,
  title: 'Event numbers exhausted',
  message: ({ revision }) =>
    `Revision ${revision} of the store is beyond what event numbers can express (2^33). Move the data to a new store.`,
})

/** A plugin publishes what its manifest does not declare. */
export const eventUndeclaredError = defineError<{ readonly plugin: string; readonly name: string; readonly owner: string | null }>({
  code: 'event_undeclared',
  status: 500,
  title: 'Event not declared',
  message: ({ plugin, name, owner }) =>
    owner === null
      ? `Plugin “${plugin}” may not publish “${name}”: declare it with its schema in “events” of its manifest, and build the plugin again.`
      : `Plugin “${plugin}” may not publish “${name}”: that type of event belongs to plugin “${owner}”. Declare one of its own.`,
})

/** The data of an event do not fit the schema of its type. */
export const eventInvalidError = defineError<{ readonly plugin: string; readonly name: string; readonly reason: string }>({
  code: 'event_invalid',
  status: 500,
  title: 'Event not valid',
  message: ({ plugin, name, reason }) =>
    `The event “${name}” of plugin “${plugin}” does not fit the schema that its manifest declares: ${reason}.`,
})
