import type { PolicyFile, RefusedPolicies, UsablePolicies } from '@agent-service/sdk/contracts/policy-engine'
import { expect } from 'chai'
import { checkPolicy, loadPolicies } from './cedar-policies.js'
import { shippedFiles } from './shipped-files.test.js'

describe('reading policies', () => {
  let files: readonly PolicyFile[]

  before(async () => {
    files = await shippedFiles()
  })

  const placesOf = (answer: UsablePolicies | RefusedPolicies): readonly string[] =>
    answer.outcome === 'refused' ? answer.problems.map(({ where, line, column }) => `${where}:${line}:${column}`) : []

  it('takes what ships, each with an id and a description', () => {
    const answer = loadPolicies('test', { files, stored: [] })
    expect(answer.outcome).to.equal('loaded')
    if (answer.outcome !== 'loaded') return
    expect(answer.shipped.map(({ id, effect }) => `${effect} ${id}`)).to.deep.equal([
      'permit agents-read-their-workspaces',
      'permit agents-change-their-workspaces',
      'permit users-read-their-files',
      'permit users-change-their-files',
      'permit programs-connect-by-default',
      'permit users-call-user-routes',
      'permit admins-call-every-route',
      'permit agents-use-tools',
      'permit agents-delegate-to-their-like',
    ])
    for (const { description } of answer.shipped) expect(description).to.match(/\w.*\.$/)
  })

  it('lets no stored policy replace one with the same id, shipped or stored', () => {
    const permitAll = { id: 'users-read-their-files', text: 'permit (principal, action, resource);' }
    const answer = loadPolicies('test', { files, stored: [permitAll] })
    expect(answer.outcome === 'refused' && answer.problems.map(({ where, message }) => `${where}: ${message}`)).to.deep.equal([
      'users-read-their-files: a stored policy has the id of a shipped one, which it would replace. Give the shipped one another @id, or delete the stored one',
    ])
    const [one, other] = ['permit', 'forbid'].map((effect) => ({ id: 'mine', text: `${effect} (principal, action, resource);` }))
    if (!one || !other) throw new Error('There are no policies.')
    const twice = loadPolicies('test', { files, stored: [other, one] })
    expect(twice.outcome === 'refused' && twice.problems.map(({ where, message }) => `${where}: ${message}`)).to.deep.equal([
      'mine: two stored policies have this id. Delete one',
    ])
  })

  /** A text, where it is wrong, and what is said about it. */
  const bad: readonly (readonly [string, string, number, number, RegExp])[] = [
    ['nothing', '', 1, 1, /unexpected end of input/],
    ['a word', 'allow everything', 1, 7, /unexpected token `everything`/],
    ['an end that lacks', 'permit (principal, action, resource)', 1, 37, /unexpected end of input/],
    ['a wrong line', 'permit (principal, action, resource)\nwhen { principal.role = "admin" };', 2, 8, /==/],
    [
      'characters of several bytes before it',
      '// äöü €\nforbid (principal, action, resource) when { "é𝄞" == role role };',
      2,
      58,
      /unexpected token `role`/,
    ],
    [
      'an attribute that is not there',
      'permit (principal is User, action, resource)\nwhen {\n  principal.rank == 7\n};',
      3,
      3,
      /attribute `rank`/,
    ],
    ['a type that is not there', 'permit (principal is Usr, action, resource);', 1, 22, /did you mean `User`/],
    ['an action that is not there', 'permit (principal, action == Action::"cal", resource);', 1, 30, /Action::"cal"|unrecognized action/],
    ['wrong types', 'permit (principal is User, action, resource) when { principal.role > 3 };', 1, 53, /expected|type/],
    [
      'an attribute that may be absent',
      'permit (principal, action == Action::"call", resource) when { resource.scope == "read" };',
      1,
      63,
      /optional|has/,
    ],
    ['two policies', 'permit (principal, action, resource);\npermit (principal, action, resource);', 2, 1, /unexpected token `permit`/],
    ['a template', 'permit (principal == ?principal, action, resource);', 1, 22, /template/],
    ['a text that is no Cedar at all', '\u0000', 1, 1, /invalid token/],
  ]
  for (const [what, text, line, column, message] of bad) {
    it(`refuses ${what} with line and column`, () => {
      const found = checkPolicy(files, text)
      if (found.outcome !== 'refused') throw new Error('It was taken.')
      const [problem] = found.problems
      expect([problem?.line, problem?.column]).to.deep.equal([line, column])
      expect(problem?.message).to.match(message)
      expect(problem?.message).to.not.match(/policy\d|with id/)
    })
  }

  it('warns of a policy that can never apply, and takes it', () => {
    const found = checkPolicy(files, 'permit (principal is User, action == Action::"call", resource is Tool);')
    expect(found.outcome).to.equal('sound')
    if (found.outcome === 'sound') expect(found.warnings.map(({ line }) => line)).to.include(1)
  })

  /** What a file of the service may not be, and where that is said. */
  const badFiles: readonly (readonly [string, string, string])[] = [
    ['does not parse', '@id("a")\n@description("A.")\npermit (principal, action resource);', 'own.cedar:3:27'],
    ['has a policy without an id', '// one\n\n@description("A.")\npermit (principal, action, resource);', 'own.cedar:3:1'],
    ['has an id in capitals', '@id("A")\n@description("A.")\npermit (principal, action, resource);', 'own.cedar:1:1'],
    ['has no description', '@id("a")\npermit (principal, action, resource);', 'own.cedar:1:1'],
    ['speaks of what is not there', '@id("a")\n@description("A.")\npermit (principal is Robot, action, resource);', 'own.cedar:3:22'],
    ['has an id a second time', '@id("users-call-user-routes")\n@description("A.")\npermit (principal, action, resource);', 'policy:1:1'],
  ]
  for (const [what, text, place] of badFiles) {
    it(`refuses all where a file ${what}, and keeps what was in force`, () => {
      expect(loadPolicies('test', { files, stored: [] }).outcome).to.equal('loaded')
      expect(placesOf(loadPolicies('test', { files: [...files, { name: 'own.cedar', text }], stored: [] }))).to.include(place)
    })
  }

  it('refuses all where the schema does not parse, or a stored policy no longer does', () => {
    const brokenSchema = { name: 'schema.cedarschema', text: 'entity User {\n  role: Strin,\n};\nentit' }
    const policies = files.filter(({ name }) => name !== brokenSchema.name)
    expect(placesOf(loadPolicies('test', { files: [...policies, brokenSchema], stored: [] }))).to.deep.equal(['schema.cedarschema:4:1'])
    expect(placesOf(loadPolicies('test', { files, stored: [{ id: '7', text: 'permit' }] }))).to.deep.equal(['7:1:7'])
  })

  it('refuses all policies without a schema', () => {
    const policies = files.filter(({ name }) => name !== 'schema.cedarschema')
    const found = loadPolicies('test', { files: policies, stored: [] })
    expect(found).to.have.nested.property('problems[0].message', 'the file schema.cedarschema is missing from the folder “policy”')
    expect(placesOf(found)).to.deep.equal(['schema.cedarschema:1:1'])
    expect(checkPolicy(policies, 'permit (principal, action, resource);').outcome).to.equal('refused')
  })
})
