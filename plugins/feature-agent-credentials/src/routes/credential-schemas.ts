import { namedObject, Type } from '@agent-service/sdk'
import { variablePattern } from '../common/environment-names.js'
import { maxFields, maxValueCharacters } from '../common/limits.js'
import type { NewField } from '../local/check-credential.js'
import type { LocalCredential } from '../store/credential.js'

export const nullable = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) => Type.Union([schema, Type.Null()])

/** What agents call a credential by. */
export const nameSchema = (description: string) => Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$', description, examples: ['github'] })
export const titleSchema = Type.String({
  pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$',
  maxLength: 200,
  description: 'For people and agents.',
  examples: ['GitHub, work account'],
})
export const asSchema = Type.Union([Type.Literal('value'), Type.Literal('file')], {
  description: 'What the variable has: the value, or the path of a private file with the value.',
})
export const variableSchema = nullable(
  Type.String({
    pattern: variablePattern,
    description: 'A variable of the environment. Names that programs or the service read for themselves are refused.',
    examples: ['GITHUB_TOKEN'],
  }),
)
const fieldName = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$', examples: ['token'] })
const secret = Type.Boolean({ description: 'Otherwise its owner and agents may see the value, such as a user name.' })

/** A field with its value, which goes in and never comes out. */
export const newFieldSchema = namedObject('NewCredentialField', {
  name: fieldName,
  value: Type.String({
    minLength: 1,
    maxLength: maxValueCharacters,
    description: 'Never shown again if it is a secret.',
    examples: ['ghp_…'],
  }),
  secret: Type.Optional(Type.Boolean({ description: 'Default true.' })),
  variable: Type.Optional(variableSchema),
  as: Type.Optional(asSchema),
})

export const newFieldsSchema = Type.Array(newFieldSchema, { minItems: 1, maxItems: maxFields })

export const newCredentialSchema = namedObject('CreatePersonalCredential', {
  name: nameSchema('Unique among your credentials.'),
  title: titleSchema,
  fields: newFieldsSchema,
})

export const bindingsSchema = Type.Array(
  namedObject('CredentialBinding', {
    field: Type.String({ minLength: 1, maxLength: 200, examples: ['token'] }),
    variable: variableSchema,
    as: Type.Optional(asSchema),
  }),
  { maxItems: 100 },
)

export const changeCredentialSchema = namedObject('ChangePersonalCredential', {
  title: Type.Optional(titleSchema),
  bindings: Type.Optional(bindingsSchema),
})

/** A credential as its owner sees it. */
export const credentialSchema = namedObject('PersonalCredential', {
  id: Type.String(),
  name: nameSchema('What agents call it by, unless a grant says otherwise.'),
  title: titleSchema,
  fields: Type.Array(
    namedObject('PersonalCredentialField', {
      name: fieldName,
      secret,
      value: nullable(Type.String({ description: 'Null for a secret.', examples: ['ada'] })),
      variable: variableSchema,
      as: asSchema,
    }),
  ),
  created_at: Type.String(),
  changed_at: Type.String(),
  values_changed_at: Type.String({ description: 'When its values were last replaced.' }),
})

/** `values` are those that may be shown; a secret is not even looked at. */
export const viewOfCredential = (credential: LocalCredential, values: ReadonlyMap<string, string>) => ({
  ...{ id: credential.id, name: credential.name, title: credential.title },
  fields: credential.fields.map(({ name, secret: isSecret, variable, as }) => ({
    ...{ name, secret: isSecret, value: isSecret ? null : (values.get(name) ?? null), variable, as },
  })),
  ...{ created_at: credential.created_at, changed_at: credential.changed_at, values_changed_at: credential.values_changed_at },
})

export const fieldsOf = (
  fields: readonly { name: string; value: string; secret?: boolean; variable?: string | null; as?: 'value' | 'file' }[],
): readonly NewField[] =>
  fields.map(({ name, value, secret: isSecret = true, variable = null, as = 'value' }) => ({ name, value, secret: isSecret, variable, as }))
