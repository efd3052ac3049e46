import type {
  PolicyCheck,
  PolicyFile,
  PolicyProblem,
  PolicySources,
  RefusedPolicies,
  ShippedPolicy,
  UsablePolicies,
} from '@agent-service/sdk/contracts/policy-engine'
import {
  type DetailedError,
  policySetTextToParts,
  policyToJson,
  preparsePolicySet,
  preparseSchema,
  type ValidationError,
  validate,
} from '@cedar-policy/cedar-wasm/nodejs'
import { filePatternsOf } from './file-patterns.js'
import { problemAt } from './policy-position.js'
import { schemaName } from './schema-name.js'
import { mayReferToUsers } from './user-references.js'

/** The name under which Cedar keeps the parsed schema. There is only one. */
export const parsedSchemaName = 'schema'

type Refusal = PolicyProblem & { readonly where: string }

/** Loads a set of policies under a name. If it is refused, the previous set of that name stays. */
export function loadPolicies(name: string, { files, stored }: PolicySources): UsablePolicies | RefusedPolicies {
  const refused = (problems: readonly Refusal[]): RefusedPolicies => ({ outcome: 'refused', problems })
  const schema = files.find((file) => file.name === schemaName)
  if (!schema) return refused([{ ...noSchema, where: schemaName }])
  const parsedSchema = preparseSchema(parsedSchemaName, schema.text)
  if (parsedSchema.type === 'failure') return refused(located(schema, parsedSchema.errors))

  const shipped = files.filter((file) => file.name.endsWith('.cedar')).map((file) => readFile(schema, file))
  const problems = shipped.flatMap((part) => ('problems' in part ? part.problems : []))
  const policies = shipped.flatMap((part) => ('policies' in part ? part.policies : []))
  const twice = policies.find(({ id }, index) => policies.findIndex((other) => other.id === id) !== index)
  if (twice) problems.push({ where: 'policy', line: 1, column: 1, message: `two policies have the id “${twice.id}”` })
  problems.push(...repeatedIds(policies, stored))
  if (problems.length > 0) return refused(problems)

  const texts = [...policies, ...stored]
  const parsed = preparsePolicySet(name, { staticPolicies: Object.fromEntries(texts.map(({ id, text }) => [id, text])) })
  if (parsed.type === 'success') {
    const filePatterns = filePatternsOf(texts)
    const facts = { dependsOnUserIds: mayReferToUsers(texts), ...(filePatterns === undefined ? {} : { filePatterns }) }
    return { outcome: 'loaded', shipped: policies, ...facts }
  }
  return refused(
    stored.flatMap(({ id, text }) => {
      const answer = policyToJson(text)
      return answer.type === 'failure' ? located({ name: id, text }, answer.errors) : []
    }),
  )
}

/** Stored policies with an id that another one has: in a set by id, the later one would replace the earlier one. */
function repeatedIds(shipped: readonly ShippedPolicy[], stored: PolicySources['stored']): readonly Refusal[] {
  return stored.flatMap(({ id }, index) => {
    const place = { where: id, line: 1, column: 1 }
    if (shipped.some((policy) => policy.id === id))
      return [
        {
          ...place,
          message:
            'a stored policy has the id of a shipped one, which it would replace. Give the shipped one another @id, or delete the stored one',
        },
      ]
    const isFirst = stored.findIndex((policy) => policy.id === id) === index
    return isFirst ? [] : [{ ...place, message: 'two stored policies have this id. Delete one' }]
  })
}

/** Parses and validates the text of one policy. */
export function checkPolicy(files: readonly PolicyFile[], text: string): PolicyCheck {
  const schema = files.find((file) => file.name === schemaName)
  if (!schema) return { outcome: 'refused', problems: [noSchema] }
  const parsed = policyToJson(text)
  if (parsed.type === 'failure') return { outcome: 'refused', problems: parsed.errors.map((error) => problemAt(text, error)) }
  const { problems, warnings } = validateText(schema, text)
  if (problems.length > 0) return { outcome: 'refused', problems }
  return { outcome: 'sound', effect: parsed.json.effect, warnings }
}

const noSchema = { line: 1, column: 1, message: `the file ${schemaName} is missing from the folder “policy”` }

/** The policies of one shipped file: each must have an id and a description. */
function readFile(schema: PolicyFile, file: PolicyFile): { readonly problems: Refusal[] } | { readonly policies: ShippedPolicy[] } {
  const { problems } = validateText(schema, file.text)
  if (problems.length > 0) return { problems: problems.map((problem) => ({ ...problem, where: file.name })) }
  const parts = policySetTextToParts(file.text)
  if (parts.type === 'failure') return { problems: located(file, parts.errors) }
  const policies: ShippedPolicy[] = []
  const unnamed: Refusal[] = []
  for (const text of parts.policies) {
    const parsed = policyToJson(text)
    if (parsed.type === 'failure') return { problems: located(file, parsed.errors) }
    const { id, description } = parsed.json.annotations ?? {}
    if (id !== undefined && /^[a-z][a-z0-9-]{0,63}$/.test(id) && description !== undefined)
      policies.push({ id, text, effect: parsed.json.effect, description })
    else {
      const place = problemAt(file.text, errorAt(Buffer.from(file.text.slice(0, file.text.indexOf(text))).length))
      unnamed.push({ ...place, where: file.name, message: 'a policy needs @id("lower-case-words") and @description("…")' })
    }
  }
  return unnamed.length > 0 ? { problems: unnamed } : { policies }
}

function validateText(schema: PolicyFile, text: string): { readonly problems: PolicyProblem[]; readonly warnings: PolicyProblem[] } {
  const answer = validate({ schema: schema.text, policies: { staticPolicies: text } })
  if (answer.type === 'failure') return { problems: answer.errors.map((error) => problemAt(text, error)), warnings: [] }
  const list = (errors: readonly ValidationError[]): PolicyProblem[] => errors.map(({ error }) => problemAt(text, error))
  return { problems: list(answer.validationErrors), warnings: list(answer.validationWarnings) }
}

const located = (file: PolicyFile, errors: readonly DetailedError[]): Refusal[] =>
  errors.map((error) => ({ ...problemAt(file.text, error), where: file.name }))

const errorAt = (start: number): DetailedError => ({
  ...{ message: '', help: null, code: null, url: null, severity: null },
  sourceLocations: [{ label: null, start, end: start }],
})
