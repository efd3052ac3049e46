import { defineError } from '@agent-service/sdk'

/** A state event was published as a delta, or a delta was recorded. */
export const eventMisnamedError = defineError<{ readonly name: string; readonly kind: 'state' | 'delta' }>({
  code: 'event_misnamed',
  status: 500,
  title: 'Event misnamed',
  message: ({ name, kind }) =>
    kind === 'delta'
      ? `“${name}” is a state event: record it with the transaction of its change. Only names that end in “.delta” are published directly.`
      : `“${name}” is a delta: publish it. Only state events are recorded with a transaction.`,
})

/** One commit has more events than numbers. */
export const tooManyEventsError = defineError<{ readonly limit: number }>({
  code: 'too_many_events',
  status: 500,
  title: 'Too many events',
  message: ({ limit }) => `One transaction may record at most ${limit} events. Split the work into several transactions.`,
})

/** The store's revision is so high that event numbers are no longer exact in JSON. */
export const eventNumbersExhaustedError = defineError<{ readonly revision: number }>({
  code: 'event_numbers_exhausted',
  status: 500,
  title: 'Event numbers exhausted',
  message: ({ revision }) =>
    `Revision ${revision} of the store is beyond what event numbers can express (2^33). Move the data to a new store.`,
})

/** A plugin published an event that its manifest does not declare. */
export const eventUndeclaredError = defineError<{ readonly plugin: string; readonly name: string; readonly owner: string | null }>({
  code: 'event_undeclared',
  status: 500,
  title: 'Event not declared',
  message: ({ plugin, name, owner }) =>
    owner === null
      ? `Plugin “${plugin}” may not publish “${name}”: declare it with its schema in “events” of its manifest, and rebuild the plugin.`
      : `Plugin “${plugin}” may not publish “${name}”: that type of event belongs to plugin “${owner}”. Declare another type.`,
})

/** The data of an event does not match the schema of its type. */
export const eventInvalidError = defineError<{ readonly plugin: string; readonly name: string; readonly reason: string }>({
  code: 'event_invalid',
  status: 500,
  title: 'Event not valid',
  message: ({ plugin, name, reason }) => `The event “${name}” of plugin “${plugin}” does not match the schema in its manifest: ${reason}.`,
})
