import { eventDataNameOf, pascalCaseOf } from '@agent-service/kernel-core/http/schemas'
import type { JsonObject, TSchema } from '@agent-service/sdk'
import type { Components } from './components.js'
import { exampleOf } from './examples.js'
import { schemaReference } from './schema-json.js'

/** A type of event for the description. */
export interface DescribedEvent {
  readonly name: string
  readonly description: string
  /** Of its data. */
  readonly schema: TSchema
  /** In front of the names that its plugin gives to schemas. */
  readonly schemaPrefix: string
}

/** Events that every stream may have, whatever the plugins. */
const eventsOfStreams: readonly (Omit<DescribedEvent, 'schema' | 'schemaPrefix'> & { readonly data: JsonObject })[] = [
  {
    name: 'reset',
    description: 'Events were missed. Read the state again; the stream continues after the `id` of this event.',
    data: {
      type: 'object',
      required: ['reason'],
      properties: {
        reason: { type: 'string', enum: ['not_kept', 'too_slow'], description: 'They are no longer kept, or the client read too slowly.' },
      },
    },
  },
  {
    name: 'closing',
    description: 'The service ends the stream. Connect again after the time in `retry`, unless the credential has ended. It has no `id`.',
    data: {
      type: 'object',
      required: ['reason'],
      properties: { reason: { type: 'string', enum: ['credential_ended', 'stopping', 'draining', 'restarting', 'displaced'] } },
    },
  },
]

/**
 * Adds a schema for each type of event, `RunStartedEvent`, one for its data, `RunStartedEventData`,
 * and the choices among them, `Event` and `EventData`. Returns the content of the answer that
 * streams them: its `schema` is what `data` of one event is, parsed, as generators of clients
 * expect; `x-item-schema` is the event with its name and id, in the form of `itemSchema` of OpenAPI 3.2.
 */
export function describeEventStream(types: readonly DescribedEvent[], components: Components): JsonObject {
  const described = [
    ...eventsOfStreams.map(({ name, description, data }) =>
      describeEvent(name, description, components.add(eventDataNameOf(name), data), components),
    ),
    ...types.map(({ name, description, schema, schemaPrefix }) =>
      describeEvent(name, description, components.refer(schema, schemaPrefix, eventDataNameOf(name)), components),
    ),
  ]
  const mapping = Object.fromEntries(described.map(({ name, event }) => [name, event['$ref'] ?? '']))
  components.add('Event', {
    description: 'An event of the stream. `event` names its type.',
    oneOf: described.map(({ event }) => event),
    discriminator: { propertyName: 'event', mapping },
  })
  const data = new Map(described.map((each) => [JSON.stringify(each.data), each.data]))
  components.add('EventData', { description: 'The `data` of an event, parsed.', anyOf: [...data.values()] })
  const schema = schemaReference('EventData')
  const example = exampleOf(schema, 'answer', components.resolve)
  return { schema, 'x-item-schema': schemaReference('Event'), example }
}

function describeEvent(name: string, description: string, data: JsonObject, components: Components) {
  const hasId = name !== 'closing'
  const event = components.add(`${pascalCaseOf(name)}Event`, {
    type: 'object',
    description,
    required: [...(hasId ? ['id'] : []), 'event', 'data'],
    properties: {
      ...(hasId && { id: { type: 'string', description: 'Its decimal number, for `Last-Event-ID`.', examples: ['4711'] } }),
      event: { type: 'string', const: name },
      data,
    },
  })
  return { name, event, data }
}
