import type { EngineDecision, EngineQuestion, PolicyEngine, PolicySources } from '../../contracts/policy-engine/policy-engine.js'
import type { PolicyEngineExample } from './index.js'

interface Rule {
  readonly id: string
  readonly effect: 'permit' | 'forbid'
  readonly action: string
  readonly user: string | undefined
  /** The member of the principal's attributes or of the context that must be true. */
  readonly condition: readonly [kind: string, name: string] | undefined
}
type Place = { readonly line: number; readonly column: number; readonly message: string }

const actions = ['read', 'write']

/** One line: `permit write`, `forbid read by ada`, `permit write if user trusted`, `… if parent editors`, `… if context urgent`. */
function parse(id: string, text: string): Rule | Place {
  const [, effect, action, user, kind, name] =
    /^(\S+)(?: (\S+?))?(?: by (\S+))?(?: if (user|parent|context|failing) ?(\S*))?$/.exec(text) ?? []
  if (effect === undefined) return { line: 1, column: 1, message: 'expected one policy' }
  if (effect !== 'permit' && effect !== 'forbid') return { line: 1, column: 1, message: 'expected permit or forbid' }
  if (!actions.includes(action ?? '')) return { line: 1, column: effect.length + 2, message: 'expected an action' }
  return { id, effect, action: action ?? '', user, condition: kind === undefined ? undefined : [kind, name ?? ''] }
}

function load({ files, stored }: PolicySources) {
  const texts = [
    ...files.map(({ name, text }) => ({ id: name.replace('.plain', ''), text, where: name })),
    ...stored.map((one) => ({ ...one, where: one.id })),
  ]
  const read = texts.map((one) => ({ ...one, parsed: parse(one.id, one.text) }))
  const problems = read.flatMap(({ where, parsed }) => ('message' in parsed ? [{ ...parsed, where }] : []))
  if (problems.length > 0) return { outcome: 'refused', problems, rules: [] } as const
  const rules = read.flatMap(({ parsed }) => ('message' in parsed ? [] : [parsed]))
  const shipped = read.flatMap(({ id, text, parsed }) =>
    'effect' in parsed && !stored.some((other) => other.id === id) ? [{ id, text, effect: parsed.effect, description: text }] : [],
  )
  return { outcome: 'loaded', shipped, dependsOnUserIds: rules.some(({ user }) => user !== undefined), rules } as const
}

export function decideBy(rules: readonly Rule[], question: EngineQuestion): EngineDecision {
  const unfit = misfitOf(question)
  if (unfit !== undefined) return { allowed: false, policyIds: [], errors: [{ policyId: null, message: unfit }] }
  const { principal, action, context, entities } = question
  const asked = rules.filter((rule) => rule.action === action && (rule.user === undefined || rule.user === principal.id))
  const { attributes = {}, parents = [] } = entities.find(({ type, id }) => type === principal.type && id === principal.id) ?? {}
  const holds = ({ condition: [kind, name] = ['', ''] }: Rule): boolean => {
    if (kind === '') return true
    if (kind === 'parent') return parents.some(({ id }) => id === name)
    return (kind === 'user' ? attributes : context)[name] === true
  }
  const errors = asked.flatMap(({ id, condition }) => (condition?.[0] === 'failing' ? [{ policyId: id, message: 'it fails' }] : []))
  const meant = asked.filter(holds)
  const forbids = meant.filter(({ effect }) => effect === 'forbid')
  const deciding = forbids.length > 0 ? forbids : meant
  const allowed = forbids.length === 0 && meant.length > 0 && errors.length === 0
  return { allowed, policyIds: deciding.map(({ id }) => id).sort(), errors }
}

function misfitOf({ principal, action, resource, entities }: EngineQuestion): string | undefined {
  if (!actions.includes(action)) return `the action “${action}” does not exist`
  const missing = [principal, resource].find(({ type, id }) => !entities.some((entity) => entity.type === type && entity.id === id))
  return missing && `the entity of ${missing.type} “${missing.id}” is missing`
}

/** An engine that keeps the contract. */
export function createPlainEngine(): PolicyEngine {
  let held: { readonly version: number; readonly rules: readonly Rule[] } | undefined
  return {
    specVersion: 1,
    id: 'plain',
    title: 'Plain',
    fileEndings: ['.plain'],
    prepare: async () => undefined,
    async load({ version, sources }) {
      const { rules, ...answer } = load(sources)
      if (answer.outcome === 'loaded') held = { version, rules }
      return answer
    },
    async decide({ version, questions }) {
      const rules = held?.version === version ? held.rules : undefined
      if (!rules) return { outcome: 'not_loaded' }
      return { outcome: 'decided', decisions: questions.map((question) => decideBy(rules, question)) }
    },
    async rehearse({ sources, questions }) {
      const { rules, ...answer } = load(sources)
      if (answer.outcome === 'refused') return answer
      return { ...answer, decisions: questions.map((question) => decideBy(rules, question)) }
    },
    async check({ text }) {
      const parsed = parse('checked', text)
      return 'message' in parsed ? { outcome: 'refused', problems: [parsed] } : { outcome: 'sound', effect: parsed.effect, warnings: [] }
    },
  }
}

const question = (id: string, trusted = false, urgent = false): EngineQuestion => ({
  principal: { type: 'User', id },
  action: 'write',
  resource: { type: 'File', id: 'notes' },
  context: { urgent },
  entities: [
    { type: 'User', id, attributes: { role: 'user', trusted }, parents: [] },
    { type: 'File', id: 'notes', attributes: {}, parents: [] },
  ],
})

/** The question of a user who belongs to a team. */
function memberOf(team: string): EngineQuestion {
  const { entities, ...asked } = question('ada')
  const group = { type: 'Team', id: team }
  const belonging = entities.map((entity) => (entity.type === 'User' ? { ...entity, parents: [group] } : entity))
  return { ...asked, entities: [...belonging, { ...group, attributes: {}, parents: [] }] }
}

export const plainExample: PolicyEngineExample = {
  files: [{ name: 'reading.plain', text: 'permit read' }],
  questions: [question('ada'), question('eve')],
  permit: 'permit write',
  forbid: 'forbid write',
  permitFirst: 'permit write by ada',
  bad: 'allow everything',
  permitFile: { name: 'writing.plain', text: 'permit write' },
  forbidFile: { name: 'closed.plain', text: 'forbid write' },
  byAttribute: { policy: 'permit write if user trusted', permitted: question('ada', true), denied: question('ada') },
  byParents: { policy: 'permit write if parent editors', permitted: memberOf('editors'), denied: memberOf('readers') },
  byContext: { policy: 'permit write if context urgent', permitted: question('ada', false, true), denied: question('ada') },
  failing: 'permit write if failing',
}
