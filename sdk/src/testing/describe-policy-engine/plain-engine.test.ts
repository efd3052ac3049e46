import type { EngineDecision, EngineQuestion, PolicyEngine, PolicySources } from '../../contracts/policy-engine/policy-engine.js'
import type { PolicyEngineExample } from './index.js'

interface Rule {
  readonly id: string
  readonly effect: 'permit' | 'forbid'
  readonly action: string
  readonly user: string | undefined
}
type Place = { readonly line: number; readonly column: number; readonly message: string }

const actions = ['read', 'write']

/** One line: `permit write`, `forbid read by ada`. */
function parse(id: string, text: string): Rule | Place {
  const [effect, action = '', by, user, ...more] = text.split(' ')
  if (effect !== 'permit' && effect !== 'forbid') return { line: 1, column: 1, message: 'expected permit or forbid' }
  if (!actions.includes(action)) return { line: 1, column: effect.length + 2, message: 'expected an action' }
  if ((by !== undefined && by !== 'by') || (by === 'by' && user === undefined) || more.length > 0)
    return { line: 1, column: 1, message: 'expected one policy' }
  return { id, effect, action, user }
}

function load({ files, stored }: PolicySources) {
  const texts = [...files.map(({ name, text }) => ({ id: name.replace('.plain', ''), text, where: name })), ...stored]
  const read = texts.map((one) => ({ ...one, parsed: parse(one.id, one.text) }))
  const problems = read.flatMap(({ id, parsed }) => ('message' in parsed ? [{ ...parsed, where: id }] : []))
  if (problems.length > 0) return { outcome: 'refused', problems, rules: [] } as const
  const rules = read.flatMap(({ parsed }) => ('message' in parsed ? [] : [parsed]))
  const shipped = read.flatMap(({ id, text, parsed }) =>
    'effect' in parsed && !stored.some((other) => other.id === id) ? [{ id, text, effect: parsed.effect, description: text }] : [],
  )
  return { outcome: 'loaded', shipped, dependsOnUserIds: rules.some(({ user }) => user !== undefined), rules } as const
}

export function decideBy(rules: readonly Rule[], { principal, action }: EngineQuestion): EngineDecision {
  if (!actions.includes(action))
    return { allowed: false, policyIds: [], errors: [{ policyId: null, message: `the action “${action}” does not exist` }] }
  const meant = rules.filter((rule) => rule.action === action && (rule.user === undefined || rule.user === principal.id))
  const forbids = meant.filter(({ effect }) => effect === 'forbid')
  const deciding = forbids.length > 0 ? forbids : meant
  return { allowed: forbids.length === 0 && meant.length > 0, policyIds: deciding.map(({ id }) => id).sort(), errors: [] }
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

const question = (id: string): EngineQuestion => ({
  principal: { type: 'User', id },
  action: 'write',
  resource: { type: 'File', id: 'notes' },
  context: {},
  entities: [
    { type: 'User', id, attributes: { role: 'user' }, parents: [] },
    { type: 'File', id: 'notes', attributes: {}, parents: [] },
  ],
})

export const plainExample: PolicyEngineExample = {
  files: [{ name: 'reading.plain', text: 'permit read' }],
  questions: [question('ada'), question('eve')],
  permit: 'permit write',
  forbid: 'forbid write',
  permitFirst: 'permit write by ada',
  bad: 'allow everything',
}
