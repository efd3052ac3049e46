import { expect } from 'chai'
import fc from 'fast-check'
import { decideSignIn, type SignInFacts } from './decide-sign-in.js'

const facts: SignInFacts = {
  linked: undefined,
  sameEmail: undefined,
  email: 'verified',
  matchEmail: true,
  acceptUnverifiedEmail: true,
  allowRegistration: true,
  needsApproval: false,
  isFirstAccount: false,
  mayBeFirst: false,
}
const account = { id: 'ada', role: 'user', disabled: false } as const
const owner = { ...account, hasIdentityOfIssuer: false, isEmailProven: false, isProvenByProvider: false }
const admin = { ...owner, role: 'admin' } as const
const signsIn = { outcome: 'sign_in', userId: 'ada' }
const links = { outcome: 'link', userId: 'ada', endsLocalAccess: true, handsOver: true }
const creates = { outcome: 'create', role: 'user' }
const refuses = (code: string, reason = code) => ({ outcome: 'refuse', code, reason })

/** Who comes, under which rules, and what becomes of it. */
const table: readonly (readonly [what: string, facts: Partial<SignInFacts>, decision: object])[] = [
  ['a known identity', { linked: account }, signsIn],
  ['a known identity with an unverified address', { linked: account, email: 'unverified', acceptUnverifiedEmail: false }, signsIn],
  ['a known identity, registration closed, matching off', { linked: account, allowRegistration: false, matchEmail: false }, signsIn],
  ['a known identity of a disabled account', { linked: { ...account, disabled: true } }, refuses('account_disabled')],

  ['the address of an account, verified', { sameEmail: owner }, links],
  ['the address of an account, nothing said', { sameEmail: owner, email: 'unknown' }, links],
  ['the address of an account, unverified', { sameEmail: owner, email: 'unverified' }, refuses('email_not_verified')],
  [
    'an address that a provider has verified for the account',
    { sameEmail: { ...owner, isEmailProven: true, isProvenByProvider: true } },
    { ...links, endsLocalAccess: false, handsOver: false },
  ],
  ['an address that a code has confirmed', { sameEmail: { ...owner, isEmailProven: true } }, { ...links, handsOver: false }],
  [
    'nothing said, and only verified addresses count',
    { sameEmail: owner, email: 'unknown', acceptUnverifiedEmail: false },
    refuses('email_not_verified'),
  ],
  ['matching off', { sameEmail: owner, matchEmail: false }, refuses('email_taken')],
  ['registration closed does not keep out who has an account', { sameEmail: owner, allowRegistration: false }, links],
  ['an admin’s address, verified', { sameEmail: admin }, links],
  ['an admin’s address, nothing said', { sameEmail: admin, email: 'unknown' }, refuses('email_not_verified')],
  ['an admin’s address, unverified', { sameEmail: admin, email: 'unverified' }, refuses('email_not_verified')],
  [
    'another person of the provider has the account, and has proven the address',
    { sameEmail: { ...owner, hasIdentityOfIssuer: true, isEmailProven: true } },
    refuses('email_taken'),
  ],
  [
    'another person of the provider has typed the address',
    { sameEmail: { ...owner, hasIdentityOfIssuer: true } },
    { ...creates, takesEmailFrom: 'ada' },
  ],
  [
    'another person of the provider has typed the address, which is not proven now either',
    { sameEmail: { ...owner, hasIdentityOfIssuer: true }, email: 'unknown' },
    refuses('email_taken'),
  ],
  [
    'another person of the provider has typed the address, registration closed',
    { sameEmail: { ...owner, hasIdentityOfIssuer: true }, allowRegistration: false },
    refuses('registration_closed'),
  ],
  ['a disabled account', { sameEmail: { ...owner, disabled: true } }, refuses('account_disabled')],
  [
    'a disabled account, registration closed, the address proven',
    { sameEmail: { ...owner, disabled: true }, allowRegistration: false },
    refuses('account_disabled'),
  ],
  [
    'closed registration does not tell of an account: unverified',
    { sameEmail: owner, email: 'unverified', allowRegistration: false },
    refuses('registration_closed', 'email_not_verified'),
  ],
  [
    'closed registration does not tell of an account: matching off',
    { sameEmail: owner, matchEmail: false, allowRegistration: false },
    refuses('registration_closed', 'email_taken'),
  ],

  ['nobody known', {}, creates],
  ['nobody known, no address', { email: 'none', acceptUnverifiedEmail: false }, creates],
  ['nobody known, unverified and accepted', { email: 'unverified' }, creates],
  ['nobody known, unverified and not accepted', { email: 'unverified', acceptUnverifiedEmail: false }, refuses('email_not_verified')],
  ['nobody known, nothing said and not accepted', { email: 'unknown', acceptUnverifiedEmail: false }, refuses('email_not_verified')],
  ['nobody known, matching off', { matchEmail: false }, creates],
  ['nobody known, an admin approves', { needsApproval: true }, { outcome: 'wait', keepsEmail: true }],
  [
    'nobody known, an admin approves, and the address was typed by another person of the provider',
    { needsApproval: true, sameEmail: { ...owner, hasIdentityOfIssuer: true } },
    { outcome: 'wait', keepsEmail: false },
  ],
  ['the owner of an account, an admin approves', { sameEmail: owner, needsApproval: true }, links],
  [
    'the first of all, an admin approves',
    { isFirstAccount: true, mayBeFirst: true, needsApproval: true },
    { outcome: 'create', role: 'admin' },
  ],
  [
    'nobody known, registration closed, an admin approves',
    { allowRegistration: false, needsApproval: true },
    refuses('registration_closed'),
  ],
  ['nobody known, registration closed', { allowRegistration: false }, refuses('registration_closed')],

  ['the first of all, with the right to it', { isFirstAccount: true, mayBeFirst: true }, { outcome: 'create', role: 'admin' }],
  [
    'the first of all, registration closed',
    { isFirstAccount: true, mayBeFirst: true, allowRegistration: false },
    { outcome: 'create', role: 'admin' },
  ],
  ['the first of all, from elsewhere', { isFirstAccount: true }, refuses('setup_code_required')],
  ['a later one from this machine, registration closed', { mayBeFirst: true, allowRegistration: false }, refuses('registration_closed')],
]

describe('the rules of who gets which account by single sign-on', () => {
  for (const [what, given, decision] of table)
    it(what, () => {
      expect(decideSignIn({ ...facts, ...given })).to.deep.equal(decision)
    })

  it('hold whatever comes together: no unverified address links, no admin on less than a verified one, nothing for the disabled', () => {
    const standing = fc.record({ id: fc.constant('ada'), role: fc.constantFrom('admin', 'user'), disabled: fc.boolean() })
    const anything: fc.Arbitrary<SignInFacts> = fc.record({
      linked: fc.option(standing, { nil: undefined }),
      sameEmail: fc.option(
        fc
          .tuple(standing, fc.boolean(), fc.boolean(), fc.boolean())
          .map(([who, hasIdentityOfIssuer, isEmailProven, isProvenByProvider]) => ({
            ...who,
            ...{ hasIdentityOfIssuer, isEmailProven, isProvenByProvider },
          })),
        { nil: undefined },
      ),
      email: fc.constantFrom('none', 'verified', 'unverified', 'unknown'),
      matchEmail: fc.boolean(),
      acceptUnverifiedEmail: fc.boolean(),
      allowRegistration: fc.boolean(),
      needsApproval: fc.boolean(),
      isFirstAccount: fc.boolean(),
      mayBeFirst: fc.boolean(),
    })
    fc.assert(
      fc.property(anything, (given) => {
        // Where there is no account at all, none has the address.
        fc.pre(!given.isFirstAccount || (given.sameEmail === undefined && given.linked === undefined))
        const decision = decideSignIn(given)
        const { linked, sameEmail, email } = given
        if (decision.outcome === 'link') {
          expect(email).to.not.equal('unverified')
          expect(given.matchEmail && !sameEmail?.disabled && !sameEmail?.hasIdentityOfIssuer && !linked).to.equal(true)
          if (sameEmail?.role === 'admin') expect(email).to.equal('verified')
          if (!given.acceptUnverifiedEmail) expect(email).to.equal('verified')
          if (decision.handsOver) expect([decision.endsLocalAccess, sameEmail?.isEmailProven]).to.deep.equal([true, false])
        }
        if (decision.outcome === 'sign_in') expect(linked?.disabled).to.equal(false)
        if (decision.outcome === 'create') {
          expect(linked).to.equal(undefined)
          expect(decision.takesEmailFrom).to.equal(sameEmail?.id)
          if (sameEmail) expect([email, sameEmail.hasIdentityOfIssuer, sameEmail.isEmailProven]).to.deep.equal(['verified', true, false])
          expect(given.isFirstAccount ? given.mayBeFirst : given.allowRegistration && !given.needsApproval).to.equal(true)
          expect(decision.role).to.equal(given.isFirstAccount ? 'admin' : 'user')
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
